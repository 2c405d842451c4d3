"""From the disk to a service and back: nothing is lost on the way, however often it is begun."""

from io import StringIO
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.management import CommandError, call_command

from emailcheck.common.files import backup_store, file_store
from emailcheck.common.files.s3 import S3Store
from emailcheck.common.files.tests.s3_service import S3Service, read_file
from emailcheck.env import Env, SettingError
from emailcheck.file_settings import build_stores

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
FILES = {f"uploads/upl_{number}.csv": str(number).encode() * 1000 for number in range(5)}


@pytest.fixture
def on_disk(s3: S3Service, settings: Any) -> S3Service:
    settings.STORAGES = {**settings.STORAGES, **settings.FILE_STORES["disk"]}
    for name, content in FILES.items():
        file_store().save(name, ContentFile(content))
    backup_store().save("emailcheck-1.tar.gz", ContentFile(b"backup"))
    return s3


def move(*arguments: str, **options: Any) -> str:
    out = StringIO()
    call_command("move_files", *arguments, stdout=out, **options)
    return out.getvalue().strip()


def contents() -> dict[str, bytes]:
    return {found.name: read_file(file_store(), found.name) for found in file_store().iterate_files()}


@pytest.mark.spec("SCA-002")
def test_files_move_there_and_back(on_disk: S3Service, settings: Any) -> None:
    there = sorted(f"files/{name}" for name in FILES)
    assert move("disk", "s3", keep=True) == "6 copied, 0 there already, 0 deleted at the source."
    assert (on_disk.list_names(), contents()) == (["backups/emailcheck-1.tar.gz", *there], FILES)
    assert move("disk", "s3") == "0 copied, 6 there already, 6 deleted at the source."
    assert contents() == {}
    assert move("disk", "s3") == "0 copied, 0 there already, 0 deleted at the source."
    settings.STORAGES = {**settings.STORAGES, **settings.FILE_STORES["s3"]}
    assert (contents(), read_file(backup_store(), "emailcheck-1.tar.gz")) == (FILES, b"backup")
    assert move("s3", "disk") == "6 copied, 0 there already, 6 deleted at the source."
    assert on_disk.list_names() == []


@pytest.mark.spec("SCA-002")
def test_a_move_that_was_interrupted_goes_on(
    on_disk: S3Service, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = S3Store.save
    saved: list[str] = []

    def save_two(store: S3Store, name: str, content: Any) -> str:
        if len(saved) == 2:
            raise KeyboardInterrupt
        saved.append(name)
        return str(save(store, name, content))

    monkeypatch.setattr(S3Store, "save", save_two)
    with pytest.raises(KeyboardInterrupt):
        move("disk", "s3")
    assert (len(contents()), len(on_disk.list_names())) == (3, 2)
    monkeypatch.undo()
    half = on_disk.list_names()[0]
    on_disk.client.put_object(Bucket="product", Key=half.replace("upl_0", "upl_4"), Body=b"cut of")
    assert move("disk", "s3") == "4 copied, 0 there already, 4 deleted at the source."
    settings.STORAGES = {**settings.STORAGES, **settings.FILE_STORES["s3"]}
    assert contents() == FILES


@pytest.mark.spec("SCA-002")
def test_what_cannot_be_moved_is_refused_in_words(on_disk: S3Service, settings: Any) -> None:
    with pytest.raises(CommandError, match="the same"):
        move("disk", "disk")
    settings.FILE_STORES = {**settings.FILE_STORES, "s3": {}}
    with pytest.raises(CommandError, match="set FILE_STORE_BUCKET"):
        move("disk", "s3")
    assert contents() == FILES


@pytest.mark.spec("SCA-001")
@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"FILE_STORE": "s3"}, "FILE_STORE=s3 needs FILE_STORE_BUCKET, FILE_STORE_KEY, FILE_STORE_SECRET"),
        ({"FILE_STORE_BUCKET": "b", "FILE_STORE_KEY": "k"}, "needs FILE_STORE_SECRET"),
        ({"FILE_STORE_ENCRYPTION": "own"}, "FILE_STORE_ENCRYPTION_KEY: 32 octets in base64"),
        ({"FILE_STORE_ENCRYPTION": "own", "FILE_STORE_ENCRYPTION_KEY": "c2hvcnQ="}, "32 octets in base64"),
        (
            {"FILE_STORE_ENCRYPTION": "own", "FILE_STORE_ENDPOINT": "http://x.org", "FILE_STORE_ENCRYPTION_KEY": KEY},
            "FILE_STORE_ENDPOINT must be https://",
        ),
        ({"FILE_STORE_ENCRYPTION": "none"}, "FILE_STORE_ENCRYPTION must be one of bucket, service, own, not 'none'"),
    ],
)
def test_settings_that_cannot_work_stop_the_start(given: dict[str, str], complaint: str) -> None:
    whole = {} if set(given) & {"FILE_STORE", "FILE_STORE_BUCKET"} else {
        "FILE_STORE_BUCKET": "b", "FILE_STORE_KEY": "k", "FILE_STORE_SECRET": "s"
    }  # fmt: skip
    with pytest.raises(SettingError, match=complaint):
        build_stores(Env(whole | given))
