"""The catalogue of reasons says what the code does, and every page and call says what the catalogue does."""

import ast
import html
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from rest_framework.test import APIClient

from tests.documentation import chapters, page, rows, text_of
from validation.engine import Category, Flag, Reason
from validation.engine.dns.lookups import MailHosts
from validation.engine.dns.resolver import Answer, Found
from validation.engine.knowledge.domains import ListFacts
from validation.engine.probes.probe import Probe
from validation.engine.replies.operator_meanings import MEANINGS
from validation.engine.replies.readings import Reading, Subject
from validation.engine.smtp.stages import Stage
from validation.engine.verdict.evidence import gather_facts
from validation.engine.verdict.verdicts import decide_category
from validation.providers.clients import mapping
from validation.providers.clients.base import Meaning
from validation.results.reasons.catalogue import NOT_CHECKED, REASONS
from validation.results.storage import is_charged
from validation.testmode import addresses

VALIDATION = Path(settings.BASE_DIR) / "validation"
ROW_MAKERS = {"ResultRow", "Verdict", "Result", "_replace", "replace"}
BY_THE_DNS_ALONE = {Reason.NO_DOMAIN, Reason.NO_MAIL_HOST, Reason.NULL_MX, Reason.BOGUS_MX, Reason.DNS_ERROR}
LISTED = {entry.reason: entry for entry in REASONS}


def nodes(folder: Path = VALIDATION) -> Iterator[ast.AST]:
    """All code of the product below a folder."""
    for file in folder.rglob("*.py"):
        if "tests" not in file.parts:
            yield from ast.walk(ast.parse(file.read_text()))


def name_of(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def written_reasons() -> set[str]:
    """The reasons that the code writes as plain texts into rows and verdicts."""
    calls = (node for node in nodes() if isinstance(node, ast.Call) and name_of(node.func) in ROW_MAKERS)
    words = (word.value for call in calls for word in call.keywords if word.arg == "reason")
    return {str(word.value) for word in words if isinstance(word, ast.Constant)}


def readings() -> set[tuple[Reason, Subject]]:
    """Every pair of reason and subject that the engine reads out of replies, or makes where there was none."""
    found = {(one.reason, Subject.MAILBOX) for one in MEANINGS}
    for node in nodes(VALIDATION / "engine"):
        values = node.args if isinstance(node, ast.Call) else node.elts if isinstance(node, ast.Tuple) else []
        kinds = [name_of(one.value) for one in values[:2] if isinstance(one, ast.Attribute)]
        if kinds == ["Reason", "Subject"]:
            found.add((Reason[name_of(values[0])], Subject[name_of(values[1])]))
    return found


def decide(reason: Reason | None, probe: Probe | None, *, full: bool = True) -> tuple[Category, Reason]:
    hosts = MailHosts("company.com", (), reason, "", Answer(Found.RECORDS))
    lists = ListFacts(None, False, None, "", "", None)
    return decide_category(gather_facts(hosts, lists, asks_mail_hosts=full), probe, trap=None)


def outcomes_of_code() -> set[tuple[Category, str]]:
    """The categories with their reasons: what the engine decides, providers say, and test mode answers."""
    found = {decide(None, Probe(Reading(*pair, "code"), Stage.RCPT)) for pair in readings()}
    found |= {decide(reason, None) for reason in BY_THE_DNS_ALONE} | {
        decide(None, None),
        decide(None, None, full=False),
    }
    tables = (mapping.ZEROBOUNCE, mapping.NEVERBOUNCE, mapping.KICKBOX)
    meanings: list[Meaning] = [meaning for table in tables for meaning in table.values()]
    found |= {(Category(one.category), Reason(one.reason)) for one in meanings}
    return {*found, *((one.category, one.reason) for one in addresses.VERDICTS)}


@pytest.mark.finding("G2")
@pytest.mark.spec("API-004")
def test_every_reason_of_the_code_is_listed_and_no_other() -> None:
    assert len(readings()) > 15
    assert set(LISTED) == {*Reason, NOT_CHECKED}
    assert written_reasons() == {"not_probed"}
    assert len(REASONS) == len(LISTED)
    assert set(LISTED) >= {"not_in_plan", "mailbox_full", "mailbox_disabled", "connect_failed", "test_address"}


@pytest.mark.spec("API-004")
def test_categories_are_those_that_the_code_decides() -> None:
    listed = {(outcome.category, entry.reason) for entry in REASONS for outcome in entry.outcomes}
    beyond = {(Category.INVALID, "syntax"), (Category.UNKNOWN, Reason.TEST_ADDRESS)}
    assert listed - beyond - outcomes_of_code() == set()
    assert outcomes_of_code() - listed == set()
    assert {outcome.category for outcome in LISTED["mailbox_full"].outcomes} == {Category.INVALID, Category.UNKNOWN}


@pytest.mark.spec("API-004", "PEN-024")
def test_costs_are_those_that_are_charged() -> None:
    for entry in REASONS:
        for category, full, basic in entry.outcomes:
            charged = is_charged(category=category, reason=entry.reason, syntax_valid=entry.reason != "syntax")
            assert {cost for cost in (full, basic) if cost is not None} == {int(charged)}, entry.reason
    assert LISTED["not_in_plan"].outcomes == ((Category.UNKNOWN, None, 1),)
    assert LISTED["test_address"].outcomes == ((Category.UNKNOWN, 0, 0),)


@pytest.mark.spec("API-004")
def test_the_call_takes_no_key_and_is_cached(db: None, anonymous_api: APIClient) -> None:
    answer = anonymous_api.get("/api/v1/reasons")
    listed = {one["reason"]: one for one in answer.json()["reasons"]}
    assert (answer.status_code, list(listed)) == (200, list(LISTED))
    assert listed["mailbox_full"] == {
        "reason": "mailbox_full",
        "meaning": "The mailbox is full.",
        "advice": LISTED["mailbox_full"].advice,
        "outcomes": [
            {"category": "invalid", "credits_full": 1, "credits_basic": None},
            {"category": "unknown", "credits_full": 0, "credits_basic": None},
        ],
    }
    assert answer["Cache-Control"] == "public, max-age=3600"
    again = anonymous_api.get("/api/v1/reasons", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", answer["ETag"])
    assert anonymous_api.post("/api/v1/reasons", {}).status_code == 405


@pytest.mark.spec("API-004")
def test_the_call_is_counted_as_every_public_one(db: None, anonymous_api: APIClient) -> None:
    before = int(anonymous_api.get("/api/v1/reasons")["X-RateLimit-Remaining"])
    assert int(anonymous_api.get("/api/v1/reasons")["X-RateLimit-Remaining"]) == before - 1


@pytest.mark.spec("API-004")
def test_pages_list_the_same_and_tell_clients_to_expect_more(db: None, client: Client) -> None:
    told = chapters(page())["endpoints"].partition('id="reasons"')[2].partition("</article>")[0]
    assert [row[0] for row in rows(told)] == list(LISTED)
    assert rows(told)[8][:4] == ["mailbox_full", "invalid, unknown", "1 as invalid, 0 as unknown", "–"]
    assert "Expect new values" in text_of(told)
    reference = html.unescape(client.get("/api-docs").content.decode())
    text = client.get("/llms-full.txt").content.decode()
    for entry in REASONS:
        assert f'<tr id="reason-{entry.reason}">' in reference
        assert f"- `{entry.reason}` (" in text
        assert entry.meaning in reference
        assert f"{entry.meaning} {entry.advice}" in text
    assert "More are added without notice" in reference
    assert "More are added without notice" in text
    assert {flag.value for flag in Flag}.isdisjoint(LISTED)
