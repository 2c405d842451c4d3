"""The store of log records: shared by processes, bounded, searched, and without a word that nobody may read."""

import logging
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from emailcheck.common.errors import BadInput
from emailcheck.common.logs import store
from emailcheck.common.logs.configuration import RedactingFormatter
from emailcheck.common.logs.store import StoreHandler
from emailcheck.common.shared_state.files import locking_file


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    """A logger as the product sets it up, that writes to the store alone."""
    made, handler = logging.getLogger("shop"), StoreHandler()
    handler.setFormatter(RedactingFormatter("%(message)s"))
    made.addHandler(handler)
    made.setLevel(logging.DEBUG)
    made.propagate = False
    yield made
    made.removeHandler(handler)
    handler.close()


def messages(**query: str) -> list[str]:
    return [line.message for line in store.list_records(**query)[0]]


@pytest.mark.spec("MON-053", "MON-058")
def test_records_are_found_by_level_and_text_newest_first(log: logging.Logger) -> None:
    log.debug("one")
    log.info("Two")
    log.warning("three")
    log.error("four")
    log.critical("five")
    assert [(line.level, line.message) for line in store.list_records()[0]] == [
        ("ERROR", "shop [-] five"), ("ERROR", "shop [-] four"), ("WARNING", "shop [-] three"),
        ("INFO", "shop [-] Two"), ("DEBUG", "shop [-] one"),
    ]  # fmt: skip
    for level, count in (("ERROR", 2), ("WARNING", 1), ("INFO", 1), ("DEBUG", 1)):
        assert len(messages(level=level)) == count
    assert messages(search="TWO") == ["shop [-] Two"]
    log.info('said "ÄH"\nand went')
    assert len(messages(search='"äh"\nAND')) == 1
    assert messages(search="timestamp") == messages(search='"level"') == []
    assert messages(search="two", level="ERROR") == []
    assert messages(search="nothing") == []


@pytest.mark.spec("MON-058")
def test_a_refused_call_is_found_by_its_reference(client: Client, db: None) -> None:
    refused = client.get("/api/auth/me").json()
    (line,) = store.list_records(search=refused["request_id"])[0]
    assert (line.level, line.message) == (
        "WARNING", f"django.request [{refused['request_id']}] Unauthorized: /api/auth/me",
    )  # fmt: skip


@pytest.mark.spec("SEC-011", "MON-058")
def test_what_is_kept_names_nobody(log: logging.Logger) -> None:
    try:
        raise ValueError("no room for anna@x.com")
    except ValueError:
        log.exception("failed for bob@y.org with %s", "ec_live_abc")
    kept = b"".join(path.read_bytes() for path in settings.LOGS_DIR.glob("*.jsonl")).decode()
    assert "failed for [address] with [token]" in kept
    assert "ValueError: no room for [address]" in kept
    assert not any(secret in kept for secret in ("anna", "bob", "abc"))
    assert all(path.stat().st_mode & 0o077 == 0 for path in settings.LOGS_DIR.glob("*.jsonl"))


@pytest.mark.spec("MON-058")
def test_the_store_is_bounded_and_its_pages_are_whole(log: logging.Logger, monkeypatch: Any) -> None:
    monkeypatch.setattr(store, "FILE_BYTES", 5_000)
    for number in range(1_000):
        log.info("record %04d %s", number, "x" * 20)
    sizes = [path.stat().st_size for path in settings.LOGS_DIR.glob("*.jsonl")]
    assert len(sizes) == store.FILES
    assert sum(sizes) < store.FILES * 5_200
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        lines, cursor = store.list_records(cursor=cursor)
        assert len(lines) <= store.PAGE_ROWS
        seen += [line.message[9:20] for line in lines]
    assert seen == [f"record {number:04}" for number in range(999, 999 - len(seen), -1)]
    assert len(seen) > 100
    assert len(list(store.iterate_text())) == len(seen)


def test_a_page_goes_on_where_it_ended_whatever_comes_meanwhile(log: logging.Logger) -> None:
    for number in range(150):
        log.info("%d", number)
    first, cursor = store.list_records()
    log.info("new")
    second, end = store.list_records(cursor=cursor or "")
    assert [line.message for line in (*first, *second)] == [f"shop [-] {number}" for number in range(149, -1, -1)]
    assert end is None
    for nonsense in ("x", "bnVsbA==", "WyJuZXdlc3QiLCIiLDFd"):
        with pytest.raises(BadInput):
            store.list_records(cursor=nonsense)


@pytest.mark.spec("MON-058")
def test_processes_write_into_one_store_and_no_line_is_torn(log: logging.Logger, monkeypatch: Any) -> None:
    monkeypatch.setattr(store, "FILE_BYTES", 200_000)
    log.info("the parent's")

    def child() -> None:
        for number in range(200):
            log.info("child %d %s", number, "y" * 100)

    children = [multiprocessing.get_context("fork").Process(target=child) for _ in range(4)]
    for process in children:
        process.start()
    for process in children:
        process.join()
    kept = [line for path in settings.LOGS_DIR.glob("*.jsonl") for line in path.read_bytes().splitlines()]
    assert (len(kept), len(list(store.iterate_text()))) == (801, 801)


def test_half_a_line_is_left_out(log: logging.Logger) -> None:
    log.info("whole")
    (path,) = settings.LOGS_DIR.glob("*.jsonl")
    with path.open("ab") as file:
        file.write(b'{"at": 1, "lev')
    assert messages() == ["shop [-] whole"]


def test_a_store_that_cannot_be_written_disturbs_nobody(log: logging.Logger, settings: Any, tmp_path: Path) -> None:
    settings.LOGS_DIR = tmp_path / "file"
    settings.LOGS_DIR.write_text("in the way")
    log.error("lost")
    settings.LOGS_DIR = tmp_path / "free"
    log.error("kept")
    assert messages() == ["shop [-] kept"]


def test_a_process_that_stands_still_while_it_opens_a_file_holds_nobody_up(log: logging.Logger) -> None:
    with locking_file(settings.LOGS_DIR / "lock"):
        log.warning("not kept")
    log.warning("kept")
    assert messages() == ["shop [-] kept"]
