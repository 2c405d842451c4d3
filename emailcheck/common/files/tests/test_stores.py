"""Both kinds of store: what they take, they give back, from any place, until it is deleted."""

import io
import os
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from emailcheck.common.files import (
    FileStore,
    StoreUnavailable,
    backup_store,
    check_stores,
    describe_place,
    file_store,
)
from emailcheck.common.files.s3 import PIECE_BYTES
from emailcheck.common.files.store import LEFT_AFTER_S
from emailcheck.common.files.tests.s3_service import BUCKET, S3Service, read_file
from emailcheck.common.testing import run_sixteen

KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="


@pytest.fixture(params=["disk", "s3"])
def store(request: pytest.FixtureRequest) -> FileStore:
    if request.param == "s3":
        request.getfixturevalue("s3")
    return file_store()


def names(store: FileStore, prefix: str = "") -> list[str]:
    return [found.name for found in store.iterate_files(prefix)]


@pytest.mark.spec("SCA-001", "SCA-002")
def test_what_is_stored_is_read_from_any_place(store: FileStore) -> None:
    content = os.urandom(PIECE_BYTES + 77)
    assert store.save("uploads/a.csv", ContentFile(content)) == "uploads/a.csv"
    with store.open("uploads/a.csv") as file:
        assert (file.read(), file.read()) == (content, b"")
        file.seek(PIECE_BYTES - 3)
        assert (file.read(6), file.tell()) == (content[PIECE_BYTES - 3 : PIECE_BYTES + 3], PIECE_BYTES + 3)
        assert file.seek(0, io.SEEK_END) == len(content) == file.size
    assert (store.size("uploads/a.csv"), store.exists("uploads/a.csv")) == (len(content), True)
    with store.local_copy("uploads/a.csv") as path:
        assert (path.read_bytes(), path.suffix) == (content, ".csv")
        assert path.stat().st_mode & 0o077 == 0
    assert [(found.name, found.size) for found in store.iterate_files()] == [("uploads/a.csv", len(content))]
    assert list(store.spool.iterdir()) == []


@pytest.mark.spec("SCA-002")
def test_a_file_in_the_making_is_whole_or_not_there(store: FileStore) -> None:
    with store.begin_file("uploads/a.txt") as made:
        made.path.write_bytes(b"half")
        assert (names(store), store.exists("uploads/a.txt")) == ([], False)
    assert (names(store), list(store.spool.iterdir())) == ([], [])
    with store.begin_file("uploads/a.txt") as made:
        made.path.write_bytes(b"whole")
        made.keep()
        assert made.path.read_bytes() == b"whole"
    with store.open("uploads/a.txt") as file:
        assert file.read() == b"whole"
    assert list(store.spool.iterdir()) == []


@pytest.mark.spec("SCA-002")
def test_what_is_not_there_is_said(store: FileStore) -> None:
    store.check()
    assert (names(store), store.exists("a")) == ([], False)
    for read in (store.open, store.size, lambda name: store.local_copy(name).__enter__()):
        with pytest.raises(FileNotFoundError):
            read("a")
    store.delete("a")


@pytest.mark.spec("SCA-001")
def test_a_file_goes_with_those_made_of_it_and_no_other(store: FileStore) -> None:
    for name in ("u/upl_1.csv", "u/upl_1.csv.srt_2", "u/upl_1.csv.srt_2.knw_3", "u/upl_1.csvx", "u/upl_12.csv"):
        store.save(name, ContentFile(b"1"))
    assert names(store, "u/upl_12") == ["u/upl_12.csv"]
    store.delete_with_parts("u/upl_1.csv")
    assert names(store) == ["u/upl_1.csvx", "u/upl_12.csv"]


@pytest.mark.spec("SCA-002")
def test_what_a_crash_left_is_removed_after_a_day(store: FileStore) -> None:
    left, young = store.begin_file("uploads/a.txt"), store.begin_file("uploads/b.txt")
    before = left.path.stat().st_mtime - LEFT_AFTER_S - 1
    os.utime(left.path, (before, before))
    store.delete_leftovers()
    assert (left.path.exists(), young.path.exists()) == (False, True)


@pytest.mark.spec("SCA-002")
def test_a_service_that_is_away_is_unavailable_and_comes_back(s3: S3Service) -> None:
    store = file_store()
    store.save("a", ContentFile(b"kept"))
    s3.stop()
    try:
        for act in (lambda: store.open("a"), lambda: store.save("b", ContentFile(b"")), store.check):
            with pytest.raises(StoreUnavailable):
                act()
        with pytest.raises(StoreUnavailable) as refused:
            check_stores()
        assert (refused.value.status, refused.value.code, dict(refused.value.headers)) == (
            503, "UNAVAILABLE", {"Retry-After": "10"},
        )  # fmt: skip
    finally:
        s3.start()
    s3.empty()
    store.save("a", ContentFile(b"again"))
    assert read_file(store, "a") == b"again"


@pytest.mark.spec("SCA-002")
def test_a_bucket_that_is_missing_is_unavailable_and_says_no_secret(
    s3: S3Service, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    options = {**settings.FILE_STORES["s3"]["files"]["OPTIONS"], "bucket_name": "of-somebody-else"}
    store = cast(FileStore, storages.create_storage({**settings.FILE_STORES["s3"]["files"], "OPTIONS": options}))
    for act in (partial(store.save, "a", ContentFile(b"")), partial(store.delete, "a"), store.check):
        with pytest.raises(StoreUnavailable):
            act()
    assert "the file store refused: An error occurred (NoSuchBucket)" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.spec("SCA-002")
@pytest.mark.parametrize(
    ("how", "header"),
    [("bucket", None), ("service", "AES256"), ("own", None)],
)
def test_files_are_encrypted_as_the_setting_says(s3: S3Service, how: str, header: str | None) -> None:
    described = s3.describe_stores(FILE_STORE_ENCRYPTION=how, FILE_STORE_ENCRYPTION_KEY=KEY)["s3"]["files"]
    store = cast(FileStore, storages.create_storage(described))
    store.save("a", ContentFile(b"content"))
    assert (read_file(store, "a"), store.size("a"), store.exists("a")) == (b"content", 7, True)
    with store.local_copy("a") as path:
        assert path.read_bytes() == b"content"
    sent = {"SSECustomerAlgorithm": "AES256", "SSECustomerKey": KEY} if how == "own" else {}
    found = s3.client.head_object(Bucket=BUCKET, Key="files/a", **sent)
    assert found.get("ServerSideEncryption") == header


@pytest.mark.spec("SCA-001")
def test_machines_know_whether_they_share_their_files(s3: S3Service, settings: Any, tmp_path: Path) -> None:
    assert describe_place() == f"s3:{BUCKET}/files"
    settings.STORAGES = {**settings.STORAGES, **settings.FILE_STORES["disk"]}
    first = describe_place()
    assert (first.startswith("disk:"), describe_place(), len(first)) == (True, first, 21)
    settings.MEDIA_ROOT = tmp_path / "another"
    assert describe_place() != first


def test_threads_share_what_is_known_of_the_service(s3: S3Service) -> None:
    """Some 12 MB, which each of many threads would keep."""
    stores = [file_store(), backup_store()]
    sessions: list[object] = []

    def ask(number: int) -> None:
        store: Any = stores[number % 2]
        store.exists("nothing")
        sessions.append(store._client._loader)

    run_sixteen(ask)
    assert (len(sessions), len(set(map(id, sessions)))) == (16, 1)
