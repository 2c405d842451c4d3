"""Pages of two versions work beside each other: each web has the files of the other's bundle."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from emailcheck.common.testing import run_sixteen
from emailcheck.common.web.models import ReleasedFile
from emailcheck.common.web.released_files import publish_bundle

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
OLD = {"main-OLDOLD01.js": b"old()", "common-BOTH0001.js": b"both()", "app-OLDOLD01.css": b"a{}"}
NEW = {"main-NEWNEW01.js": b"new()", "common-BOTH0001.js": b"both()", "inter-NEWNEW01.woff2": b"\x00\xff"}
_UNHASHED = {"manifest.json": b"{}", "main-OLDOLD01.js.gz": b"packed", "main-OLDOLD01.js.LEGAL.txt": b"text"}


@pytest.fixture
def start_web(settings: Settings, tmp_path: Path) -> Any:
    """Start a web whose bundle has these files."""

    def start(files: dict[str, bytes]) -> None:
        settings.FRONTEND_DIST = tmp_path / next(iter(files), "nothing")
        settings.FRONTEND_DIST.mkdir(exist_ok=True)
        for name, content in {**files, **_UNHASHED}.items() if files else ():
            (settings.FRONTEND_DIST / name).write_bytes(content)
        publish_bundle()

    return start


def list_replaced() -> set[str]:
    return set(ReleasedFile.objects.exclude(replaced_at=None).values_list("name", flat=True))


@pytest.mark.spec("SCA-024")
def test_each_web_answers_the_files_of_the_other_version(start_web: Any, client: Client) -> None:
    start_web(OLD)
    start_web(NEW)
    assert set(ReleasedFile.objects.values_list("name", flat=True)) == OLD.keys() | NEW.keys()
    for name, content in {**OLD, **NEW}.items():
        answer = client.get(f"/static/{name}")
        assert (answer.status_code, answer.content) == (200, content)
        assert answer["Cache-Control"] == "max-age=315360000, public, immutable"
    kinds = {name: client.get(f"/static/{name}")["Content-Type"] for name in (*OLD, "inter-NEWNEW01.woff2")}
    assert list(kinds.values()) == [
        *['text/javascript; charset="utf-8"'] * 2,
        'text/css; charset="utf-8"',
        "font/woff2",
    ]


def test_an_answer_is_that_of_the_version_that_has_the_file(settings: Settings, client: Client) -> None:
    """The headers of a file of the bundle, which the middleware before it answers, and from the database are alike."""
    publish_bundle()
    own = next(Path(settings.FRONTEND_DIST).glob("main-*.js"))
    before = client.get(f"/static/{own.name}")
    ReleasedFile.objects.filter(name=own.name).update(name="main-ELSEWHER.js")
    after = client.get("/static/main-ELSEWHER.js")
    assert b"".join(before.streaming_content) == after.content  # type: ignore[attr-defined]
    for header in ("Cache-Control", "Content-Type", "X-Content-Type-Options", "Cross-Origin-Resource-Policy"):
        assert after[header] == before[header]
    assert not after.cookies


@pytest.mark.spec("SCA-024")
def test_what_no_web_has_any_more_goes_after_a_month(start_web: Any, client: Client) -> None:
    start_web(OLD)
    start_web(NEW)
    assert list_replaced() == {"main-OLDOLD01.js", "app-OLDOLD01.css"}
    start_web(OLD)  # one that was started again before its turn
    assert list_replaced() == {"main-NEWNEW01.js", "inter-NEWNEW01.woff2"}
    start_web(NEW)
    ReleasedFile.objects.filter(name="main-OLDOLD01.js").update(replaced_at=timezone.now() - timedelta(days=31))
    start_web(NEW)
    assert set(ReleasedFile.objects.values_list("name", flat=True)) == NEW.keys() | {"app-OLDOLD01.css"}
    assert client.get("/static/main-OLDOLD01.js").status_code == 404


def test_nothing_else_is_answered_and_nothing_asked_of_the_database(
    start_web: Any, client: Client, django_assert_num_queries: Any
) -> None:
    start_web(OLD)
    with django_assert_num_queries(0):
        for name in ("elsewhere.json", "main.js", "nothing", "main-OLDOLD01.js.gz"):
            assert client.get(f"/static/{name}").status_code == 404
    assert client.get("/static/main-UNKNOWN1.js").status_code == 404
    assert client.post("/static/main-OLDOLD01.js").status_code == 405


def test_a_web_without_a_bundle_changes_nothing(start_web: Any) -> None:
    start_web(OLD)
    start_web({})
    assert (ReleasedFile.objects.count(), list_replaced()) == (3, set())


@pytest.mark.django_db(transaction=True)
def test_sixteen_that_start_at_once_publish_once(start_web: Any) -> None:
    start_web(OLD)
    start_web(NEW)
    ReleasedFile.objects.filter(name__in=NEW).delete()
    run_sixteen(lambda _: publish_bundle())
    assert ReleasedFile.objects.count() == 5
