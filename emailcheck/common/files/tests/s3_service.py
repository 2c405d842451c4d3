"""An S3 protocol server, and what is in its bucket."""

from typing import Any, cast

import boto3
from moto.server import ThreadedMotoServer

from emailcheck.common.files import FileStore
from emailcheck.env import Env
from emailcheck.file_settings import Stores, build_stores
from tests.stack import free_port

BUCKET = "product"


class S3Service:
    """Runs on a port of its own. It can be away and come back with what it has."""

    def __init__(self) -> None:
        self.port = free_port()
        self._server: Any = None
        self.start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def client(self) -> Any:
        return boto3.client(
            "s3", endpoint_url=self.endpoint, region_name="us-east-1",
            aws_access_key_id="key", aws_secret_access_key="secret",
        )  # fmt: skip

    def start(self) -> None:
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=self.port, verbose=False)
        self._server.start()

    def stop(self) -> None:
        self._server.stop()

    def empty(self) -> None:
        """As new."""
        names = [found["Name"] for found in self.client.list_buckets()["Buckets"]]
        for name in self.list_names() if BUCKET in names else ():
            self.client.delete_object(Bucket=BUCKET, Key=name)
        if BUCKET not in names:
            self.client.create_bucket(Bucket=BUCKET)

    def list_names(self) -> list[str]:
        """What the bucket holds."""
        return [found["Key"] for found in self.client.list_objects_v2(Bucket=BUCKET).get("Contents", ())]

    def environment(self, **more: str) -> dict[str, str]:
        """The settings by which the product keeps its files here."""
        return {
            "FILE_STORE": "s3",
            "FILE_STORE_ENDPOINT": self.endpoint,
            "FILE_STORE_BUCKET": BUCKET,
            "FILE_STORE_KEY": "key",
            "FILE_STORE_SECRET": "secret",
            **more,
        }

    def describe_stores(self, **more: str) -> dict[str, Stores]:
        """As `FILE_STORES`."""
        return build_stores(Env(self.environment(**more)))


def read_file(store: FileStore, name: str) -> bytes:
    """The whole content of a stored file."""
    with store.open(name) as file:
        return cast(bytes, file.read())
