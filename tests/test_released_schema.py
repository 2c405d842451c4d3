"""The last release works beside this version: on the migrated database, on one queue, with pages of its own."""

import re
from typing import Any

import pytest
from django.db import connection

from tests import released_schema as recorded
from tests.released_calls import describe_calls, find_broken_calls

# What `tests/released_*.py` find, each with why the release works all the same.
KEPT_BY_THE_RELEASE: dict[str, str] = {}
# `user` is the account of a sign-in: what marks answers to test keys never stood there.
KEPT_BY_ITS_PAGES = {
    f"{call} answers no user.test"
    for call in (
        "POST /api/auth/google/link", "POST /api/auth/login", "POST /api/auth/mfa/verify", "POST /api/auth/register",
        "GET /api/auth/verify-email",
    )
}  # fmt: skip
pytestmark = pytest.mark.postgres
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="a release is recorded from PostgreSQL")
RELEASED = recorded.read_release()
MAIL = "common_outgoingmail"


@on_postgresql
@pytest.mark.spec("SCA-024")
@pytest.mark.django_db
def test_the_last_release_writes_into_the_database_of_this_version() -> None:
    assert len(RELEASED["tables"]) > 80
    found = recorded.find_refusals(RELEASED["tables"])
    assert [line for line in found if line not in KEPT_BY_THE_RELEASE] == []
    assert KEPT_BY_THE_RELEASE.keys() <= set(found), "a reason is given for what is not so"


BREAKING = {
    f'ALTER TABLE {MAIL} DROP COLUMN "name"': f"{MAIL}.name is gone",
    f'ALTER TABLE {MAIL} RENAME COLUMN "name" TO kind': f"{MAIL}.name is gone",
    f"ALTER TABLE {MAIL} ALTER COLUMN attempts TYPE bigint": f"{MAIL}.attempts is bigint, not smallint",
    f'ALTER TABLE {MAIL} ALTER COLUMN "name" TYPE varchar(3)': f"{MAIL}.name is character varying(3), not",
    f"ALTER TABLE {MAIL} ALTER COLUMN sent_at SET NOT NULL": f"{MAIL}.sent_at may not be NULL any more",
    f"ALTER TABLE {MAIL} ALTER COLUMN lease DROP DEFAULT": f"{MAIL}.lease has no default any more",
    f"ALTER TABLE {MAIL} ADD COLUMN kind varchar(9) NOT NULL": f"{MAIL}.kind is new, and required without a default",
    f"ALTER TABLE {MAIL} ADD UNIQUE (sent_at)": f"{MAIL}: new rule UNIQUE (sent_at)",
    f"CREATE UNIQUE INDEX x ON {MAIL} (attempts) WHERE attempts > 5": f"{MAIL}: new rule CREATE UNIQUE INDEX",
    f"ALTER TABLE {MAIL} ADD CHECK (attempts < 9)": f"{MAIL}: new rule CHECK ((attempts < 9))",
    f"ALTER TABLE {MAIL} DROP CONSTRAINT {MAIL}_attempts_check": None,
    "ALTER TABLE common_workerheartbeat DROP CONSTRAINT one_heartbeat_a_host_and_queue": (
        "common_workerheartbeat: no more UNIQUE (host, queue)"
    ),
    f"ALTER TABLE {MAIL} RENAME TO mail": f"{MAIL} is gone",
    "DROP TABLE common_restartrequest": "common_restartrequest is gone",
    f"ALTER TABLE {MAIL} ADD COLUMN kind varchar(9)": None,
    f"ALTER TABLE {MAIL} ADD COLUMN kind varchar(9) NOT NULL DEFAULT ''": None,
    f'ALTER TABLE {MAIL} ALTER COLUMN "name" TYPE varchar(200)': None,
    "CREATE TABLE newer (id bigint PRIMARY KEY, kind text NOT NULL UNIQUE)": None,
}


@on_postgresql
@pytest.mark.spec("SCA-024")
@pytest.mark.django_db
@pytest.mark.parametrize("change", BREAKING)
def test_what_would_break_the_last_release_is_found(change: str) -> None:
    before = set(recorded.find_refusals(RELEASED["tables"]))
    with connection.cursor() as cursor:
        cursor.execute(change)
    found = [line for line in recorded.find_refusals(RELEASED["tables"]) if line not in before]
    expected = BREAKING[change]
    assert [line[: len(expected or "")] for line in found][:1] == ([] if expected is None else [expected])


@on_postgresql
@pytest.mark.django_db
def test_a_row_of_the_release_is_inserted_indeed() -> None:
    """By the catalogue the new column has a default."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {MAIL} ADD COLUMN kind integer NOT NULL DEFAULT (1 / (random() * 0)::integer)")
    assert f"{MAIL}: division by zero" in recorded.find_refusals(RELEASED["tables"])


@pytest.mark.spec("SCA-024")
def test_the_last_release_queues_what_this_version_does() -> None:
    assert recorded.find_lost_tasks(RELEASED["tasks"]) == []
    assert RELEASED["tasks"]["validation.tasks.work"] == 0
    assert RELEASED["tasks"]["emailcheck.common.outbound.mail.deliver_mail"] == 1
    lost = {"validation.tasks.gone": 0, "gone.tasks.work": 0, "validation.tasks.work": 5}
    assert recorded.find_lost_tasks(lost) == [f"{path} with {count} arguments" for path, count in lost.items()]


@pytest.mark.spec("SCA-024")
def test_pages_of_the_last_release_call_this_version() -> None:
    found = find_broken_calls(RELEASED["calls"], describe_calls())
    assert set(found) == KEPT_BY_ITS_PAGES
    assert len(RELEASED["calls"]) > 250
    single = RELEASED["calls"]["POST /api/validate/single"]
    assert (single["needs"], "category" in single["answers"].split()) == ("email", True)


def test_what_a_page_of_the_release_would_miss_is_found() -> None:
    was = {"GET /a": {"needs": "x", "answers": "one two two.inner"}, "GET /b": {"needs": "", "answers": ""}}
    now = {"GET /a": {"needs": "x y", "answers": "one two three"}, "GET /c": {"needs": "z", "answers": "new"}}
    assert find_broken_calls(was, now) == ["GET /a needs y", "GET /a answers no two.inner", "GET /b is gone"]
    assert find_broken_calls(was, {**was, "GET /a": {"needs": "", "answers": "one two two.inner four"}}) == []


def test_this_version_queues_no_function_that_the_record_would_miss() -> None:
    queue = recorded.describe_queue()
    assert {path.rpartition(".")[2] for path in queue} >= {"work", "sweep", "deliver_mail", "answer_request"}
    assert recorded.find_lost_tasks(queue) == []


@pytest.mark.spec("SCA-024")
def test_each_release_says_from_which_it_is_reached() -> None:
    """The newest in docs/releases.md is this version, reached from the release that is recorded."""
    text = (recorded.ROOT / "docs" / "releases.md").read_text(encoding="utf-8")
    rows: list[Any] = re.findall(r"^\| (\d+\.\d+\.\d+) \| ([^|]+) \|", text, flags=re.MULTILINE)
    assert rows[0][0] == recorded.read_version()
    assert RELEASED["release"] in rows[0][1].split(", ")
    versions = [version for version, _ in rows]
    for version, reached_from in rows:
        named = [one for one in reached_from.split(", ") if one != "none"]
        older = versions[versions.index(version) + 1 :]
        assert set(named) <= set(older)
