"""Files in an S3-compatible service: never public, without signed addresses, read piece by piece.

How it is asked: https://docs.aws.amazon.com/AmazonS3/latest/API/. Encryption: `bucket` asks for nothing, so that the
bucket's own setting holds; `service` for SSE-S3; `own` hands over our key with each call (SSE-C).
"""

import base64
import io
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Literal, cast

import boto3
from boto3.exceptions import Boto3Error
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from django.conf import settings
from django.core.files import File
from django.utils.deconstruct import deconstructible
from storages.backends.s3 import S3Storage

from emailcheck.common.files.store import FileStore, StoredFile, StoreUnavailable

log = logging.getLogger(__name__)
Encryption = Literal["bucket", "service", "own"]
PIECE_BYTES = 1024 * 1024
_PART_BYTES = 8 * 1024 * 1024
_MISSING = ("NoSuchKey", "404", "InvalidRange")  # HEAD has no body that names the code
_ONE_THREAD = TransferConfig(use_threads=False, multipart_threshold=_PART_BYTES, multipart_chunksize=_PART_BYTES)
_CALLS = Config(
    connect_timeout=3,
    read_timeout=15,
    retries={"mode": "standard", "total_max_attempts": 2},
    s3={"addressing_style": "path"},
    # Sums of the content are newer than many compatible services.
    request_checksum_calculation="when_required",
    response_checksum_validation="when_required",
)


class _Backend(S3Storage):
    """Its connections, one for each thread, are of one session: each session keeps 12 MB of the services' forms."""

    access_key: str
    secret_key: str

    @property
    def connection(self) -> Any:
        with _connecting:  # a session makes one at a time
            return super().connection

    def _create_session(self) -> boto3.Session:
        return _make_session(os.getpid(), self.access_key, self.secret_key)


_connecting = threading.Lock()


@lru_cache(maxsize=2)
def _make_session(process: int, key: str, secret: str) -> boto3.Session:
    return boto3.Session(aws_access_key_id=key, aws_secret_access_key=secret)


@deconstructible(path="emailcheck.common.files.s3.S3Store")
class S3Store(FileStore):
    """A part of a bucket: what begins with `location`. `options`: others of django-storages."""

    def __init__(
        self, *, bucket_name: str, location: str, encryption: Encryption, encryption_key: str = "", **options: Any
    ) -> None:
        parameters = _encrypt(encryption, encryption_key)
        self._bucket, self._location = bucket_name, location
        self._key_parameters = parameters if encryption == "own" else {}
        self._options = {
            **options,
            "bucket_name": bucket_name,
            "location": location,
            "object_parameters": parameters,
            "client_config": _CALLS,
            "transfer_config": _ONE_THREAD,
            "querystring_auth": False,
        }
        self._made: tuple[int, Any] = (0, None)

    @property
    def _backend(self) -> Any:
        """Of this process: a forked one may not talk over the sockets of its parent."""
        if self._made[0] != os.getpid():
            backend: Any = _Backend
            self._made = (os.getpid(), backend(**self._options))
        return self._made[1]

    @property
    def _client(self) -> Any:
        return self._backend.connection.meta.client

    def _place(self, name: str) -> dict[str, str]:
        return {"Bucket": self._bucket, "Key": self._backend._normalize_name(name)}

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Its own: names are given once."""
        return name

    def _save(self, name: str, content: Any) -> str:
        with _translated(name):
            return str(self._backend._save(name, content))

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        if mode != "rb":
            raise ValueError("files are written whole: save, or begin_file")
        found = self._look_up(name)
        pieces = _Pieces(self, name, found["ContentLength"])
        file = File(io.BufferedReader(pieces, PIECE_BYTES), name=name)
        file.size = found["ContentLength"]
        return file

    def read_range(self, name: str, start: int, size: int) -> bytes:
        """Some octets of a file, from one on; fewer at its end."""
        wanted = f"bytes={start}-{start + size - 1}"
        for is_last in (False, True):
            try:
                with _translated(name):
                    found = self._client.get_object(**self._place(name), Range=wanted, **self._key_parameters)
                    return cast(bytes, found["Body"].read())
            except StoreUnavailable:  # an answer that broke off is not asked for again by the client itself
                if is_last:
                    raise
        raise AssertionError

    def _look_up(self, name: str) -> Mapping[str, Any]:
        with _translated(name):
            return cast(Mapping[str, Any], self._client.head_object(**self._place(name), **self._key_parameters))

    def exists(self, name: str) -> bool:
        try:
            self._look_up(name)
        except FileNotFoundError:
            return False
        return True

    def size(self, name: str) -> int:
        return int(self._look_up(name)["ContentLength"])

    def delete(self, name: str) -> None:
        with _translated(name):
            self._client.delete_object(**self._place(name))

    @property
    def spool(self) -> Path:
        return Path(settings.VAR_DIR) / "spool"

    def take_file(self, path: Path, name: str) -> Path:
        with path.open("rb") as written:
            self.save(name, File(written))
        return path

    @contextmanager
    def local_copy(self, name: str) -> Iterator[Path]:
        with self.begin_file(name) as copy:
            with copy.path.open("wb") as file, _translated(name):
                self._client.download_fileobj(
                    *self._place(name).values(), file, ExtraArgs=self._key_parameters, Config=_ONE_THREAD
                )
            yield copy.path

    def iterate_files(self, prefix: str = "") -> Iterator[StoredFile]:
        top = f"{self._location}/" if self._location else ""
        pages = self._client.get_paginator("list_objects_v2")
        with _translated(prefix):
            for page in pages.paginate(Bucket=self._bucket, Prefix=top + prefix):
                for found in page.get("Contents", ()):
                    yield StoredFile(found["Key"].removeprefix(top), found["Size"], found["LastModified"])

    def check(self) -> None:
        try:
            with _translated(""):
                self._client.head_bucket(Bucket=self._bucket)
        except FileNotFoundError as error:
            raise StoreUnavailable from error

    def address_of(self, name: str) -> str:
        return f"s3://{self._bucket}/{self._backend._normalize_name(name)}"

    def describe_place(self) -> str:
        """Without the service's address: machines may reach the same one by different ones."""
        return f"s3:{self._bucket}/{self._location}"


class _Pieces(io.RawIOBase):
    """A file in the store, as one that can be read from any place: each piece is a call of its own, so that a slow
    reader keeps no connection waiting."""

    def __init__(self, store: S3Store, name: str, size: int) -> None:
        self._store, self._name, self._size, self._position = store, name, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        start = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        self._position = max(0, start + offset)
        return self._position

    def readall(self) -> bytes:
        return b"".join(iter(partial(self.read, PIECE_BYTES), b""))

    def readinto(self, buffer: Any) -> int:
        size = min(len(buffer), self._size - self._position)
        if size <= 0:
            return 0
        found = self._store.read_range(self._name, self._position, size)
        buffer[: len(found)] = found
        self._position += len(found)
        return len(found)


def _encrypt(how: Encryption, key: str) -> dict[str, str | bytes]:
    """The parameters of each call."""
    if how == "service":
        return {"ServerSideEncryption": "AES256"}
    if how == "own":
        return {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": base64.b64decode(key)}
    return {}


@contextmanager
def _translated(name: str) -> Iterator[None]:
    """Errors of the service in words of ours. What it says goes to the log; it has no key and no content in it."""
    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in _MISSING:
            raise FileNotFoundError(name) from error
        log.warning("the file store refused: %s", error)
        raise StoreUnavailable from error
    except (BotoCoreError, Boto3Error) as error:
        log.warning("the file store does not answer: %s", type(error).__name__)
        raise StoreUnavailable from error
