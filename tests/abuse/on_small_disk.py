"""What `test_full_disk` runs where `VAR_DIR`, and whatever tests write, is a disk of 48 MB."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from rest_framework.test import APIClient

from billing.ledger import services as ledger
from conftest import make_user
from emailcheck.common.server.answers import Refusal
from emailcheck.common.server.bodies import Body, Disk
from tests.abuse.calls import NAMES, call, changed, client_that_is_answered, told
from tests.paypal import Buyer
from tests.world import Sandbox

pytestmark = pytest.mark.django_db(transaction=True)
FULL = (507, "STORAGE_FULL", "60")


@pytest.fixture
def api(world: Sandbox, buyer: Buyer) -> APIClient:
    return client_that_is_answered(make_user("alice@alder.com", "Alice Alder"))


@contextmanager
def full_disk() -> Iterator[None]:
    """Not one more block can be had."""
    filler = Path(settings.VAR_DIR) / "filler"
    file = os.open(filler, os.O_WRONLY | os.O_CREAT)
    with suppress(OSError):
        while os.write(file, bytes(4096)):
            pass
    os.close(file)
    try:
        yield
    finally:
        filler.unlink()


def kept_files() -> list[str]:
    media = Path(settings.MEDIA_ROOT)
    return sorted(str(path) for path in media.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", NAMES)
def test_a_full_disk_is_said_changes_nothing_and_is_over_with_it(api: APIClient, name: str) -> None:
    assert os.statvfs(str(connection.settings_dict["NAME"])).f_blocks * 4096 == 48 * 1024**2
    assert api.get("/api/credits").status_code == 200
    before, files = changed(), kept_files()
    with full_disk():
        assert [told(call(api, name)) for _ in range(2)] == [FULL, FULL]
        assert api.get("/api/credits").status_code == 200
        assert api.get("/").status_code == 200
    assert (changed(), kept_files()) == (before, files)
    assert call(api, name).status_code == 200
    assert call(api, name)["Idempotent-Replayed"] == "true"
    assert ledger.reconcile_ledger() == []


def test_what_counts_and_logs_fails_nobody_on_a_full_disk(api: APIClient) -> None:
    """Not one file of theirs is there yet."""
    with full_disk():
        assert api.get("/").status_code == 200
        assert api.get("/nowhere.txt").status_code == 404


def test_a_body_that_comes_on_a_full_disk_is_refused_as_a_whole() -> None:
    body = Body(1_000_000, Refusal.file_too_large(), Disk(Path(settings.VAR_DIR)))
    with full_disk():
        with pytest.raises(Refusal) as refused:
            body.add(bytes(400_000))
        body.close()
    error = refused.value.error
    assert (error.status, error.code, error.headers["Retry-After"]) == FULL
