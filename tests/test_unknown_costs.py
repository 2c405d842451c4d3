"""Wherever it is said that unknown costs nothing, the same sentence says what basic checks on Free cost, and the other
way round (PEN-025). What says so is found by its words, in every page, text, mail, document and answer."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import Client
from django.urls import URLPattern, get_resolver

from accounts.users.models import User
from conftest import browser_of
from emailcheck.common.outbound import mail
from emailcheck.common.text import check_costs
from emailcheck.common.web.context import DASHBOARD_TABS
from emailcheck.public.blog import posts
from tests import sentences
from tests.sentences import Block

ROOT = Path(settings.BASE_DIR)
SECOND_HALF = "basic checks on Free cost 1 credit each"
OWN = (check_costs.FULL, check_costs.BASIC)
_UNKNOWN = re.compile(
    r"\bunknown|undecided|left open|leaves? open|(?:could not|cannot|can't) (?:be )?(?:found? out|decided?|tell)"
    r"|(?:not|never) (?:be )?(?:found out|decided)|without (?:a |an )?(?:clear )?(?:answer|verdict)"
    r"|would not say|turned us away|no clear answer|not included in your plan",
    re.IGNORECASE,
)
_NOTHING = re.compile(
    r"costs? (?:\w+ ){0,2}(?:nothing|none\b|no credits?|0\b)|(?:is|are|be|was|were|and) (?:not|never) charged"
    r"|free of charge|no charge|no credits? (?:is|are) (?:taken|charged|used|spent)|you (?:do not|don't|never) pay"
    r"|without (?:a )?(?:charge|cost)|charged? nothing|comes back at the end|given back",
    re.IGNORECASE,
)
_FREE = re.compile(r"(?<!-)\bfree\b(?! (?:plan|account|email|mail|mailbox|credit))(?<!Free)")
_SECOND_LOOK = re.compile(r"re-?check|again|once more|second (?:look|time)", re.IGNORECASE)
_REFERS = re.compile(r"^(?:costs?|no credit|free)\b|\b(?:it|they|that one|this|these|such|and)\b", re.IGNORECASE)
_CHARGED = re.compile(
    r"(?:basic checks?|free plan|on free|not_in_plan|plan (?:leaves|includes)|of your plan)"
    r".*(?:costs? (?:a|1|one) credit|credit is charged|counts as checked)"
    r"|(?:still|all the same) costs? (?:a|1|one) credit|that one costs a credit",
    re.IGNORECASE,
)


def half_told(blocks: Iterable[Block], *, own: Iterable[str] = ()) -> list[str]:
    """The sentences that say one half alone; `own` are those that an account may read of itself."""
    for sentence in own:
        blocks = [replace(block, text=block.text.replace(sentence, "")) for block in blocks]
    return [said for block in blocks for said in _half_told(block)]


def _half_told(block: Block) -> Iterator[str]:
    before = block.heading
    for said in block.sentences:
        is_of_unknown = _UNKNOWN.search(said) or (_REFERS.search(said) and _UNKNOWN.search(before))
        is_of_second_look = _SECOND_LOOK.search(f"{before} {said}")
        is_free = _NOTHING.search(said) or (_FREE.search(said) and not is_of_second_look)
        claims_free = bool(is_of_unknown and is_free)
        if claims_free != (SECOND_HALF in said) or (_CHARGED.search(said) and not claims_free):
            yield said
        before = f"{before} {said}"


def paths() -> list[str]:
    """All addresses of pages and texts, calls of the API and what leads elsewhere apart."""
    patterns = [one for one in get_resolver().url_patterns if isinstance(one, URLPattern)]
    routes = [str(one.pattern) for one in patterns if one.name and "<" not in str(one.pattern)]
    tabs = [f"dashboard?tab={key}" for key, _ in DASHBOARD_TABS]
    settings_tabs = [f"account-settings?tab={key}" for key in ("profile", "subscription")]
    return [f"/{route}" for route in (*routes, *tabs, *settings_tabs)] + [post.path for post in posts.load_posts()]


def told_by(browser: Client) -> dict[str, list[Block]]:
    """What each page and text says to somebody."""
    answers: dict[str, Any] = {path: browser.get(path) for path in paths()}
    told: dict[str, list[Block]] = {}
    for path, answer in answers.items():
        kind = answer["Content-Type"].partition(";")[0]
        if answer.status_code == 200 and kind in ("text/html", "text/plain"):
            read = sentences.of_page if kind == "text/html" else sentences.of_markdown
            told[path] = list(read(answer.content.decode()))
    return told


def whole(blocks: Iterable[Block]) -> bool:
    return any(check_costs.UNKNOWN_COSTS in block.text for block in blocks)


@pytest.mark.spec("PEN-025")
@pytest.mark.finding("D2")
@pytest.mark.parametrize("who", ["visitor", "customer", "staff"])
def test_no_page_says_one_half_alone(client: Client, alice: User, sam: User, who: str) -> None:
    browser = {"visitor": client, "customer": browser_of(alice), "staff": browser_of(sam)}[who]
    pages = told_by(browser)
    own = () if who == "visitor" else OWN
    assert {path: said for path, blocks in pages.items() if (said := half_told(blocks, own=own))} == {}
    where = {path for path, blocks in pages.items() if whole(blocks)}
    assert {"/", "/about", "/terms", "/how-we-measure", "/help-center", "/documentation", "/api-docs"} <= where
    assert {"/llms.txt", "/llms-full.txt", "/blog/greylisting", "/blog/evidence-for-every-verdict"} <= where


@pytest.mark.spec("PEN-025")
@pytest.mark.finding("D2")
def test_no_mail_says_one_half_alone(db: None) -> None:
    mails = {kind.name: mail.render_mail(kind.name, "ida.holm@example.com", kind.example) for kind in mail.list_kinds()}
    found = {
        name: said
        for name, one in mails.items()
        if (said := half_told([*sentences.of_markdown(one.text), *sentences.of_html(one.html)], own=OWN))
    }
    assert (len(mails) > 30, found) == (True, {})
    assert check_costs.UNKNOWN_COSTS in mails["welcome"].html
    assert [check_costs.BASIC in mails[name].html for name in ("trial_ending", "trial_ended")] == [True, True]


def files() -> Iterator[Path]:
    """What we write that somebody may read: documents, texts, pages and what the code says."""
    apps = ("accounts", "adminpanel", "billing", "crm", "emailcheck", "quotes", "validation")
    places = (*apps, "docs", "frontend/src", "samples", "templates")
    endings = {".html", ".md", ".py", ".ts", ".tsx", ".txt"}
    found = (path for place in places for path in (ROOT / place).rglob("*"))
    yield from ROOT.glob("*.md")
    for path in found:
        unread = {"tests", "migrations", "api"} if path.suffix != ".md" else {"tests"}
        is_list = path.suffix == ".txt" and "templates" not in path.parts
        if path.suffix in endings and not is_list and unread.isdisjoint(path.parts):
            yield path


@pytest.mark.spec("PEN-025")
@pytest.mark.finding("D2")
def test_no_text_or_string_says_one_half_alone() -> None:
    read = [path for path in files() if path != Path(check_costs.__file__)]
    found = {str(path.relative_to(ROOT)): said for path in read if (said := half_told(sentences.of_file(path)))}
    assert ({path.suffix for path in read} >= {".html", ".md", ".py", ".tsx"}, len(read) > 700, found) == (
        True,
        True,
        {},
    )


@pytest.mark.spec("PEN-025")
def test_the_description_of_the_api_says_both_halves() -> None:
    blocks = list(sentences.of_description(yaml.load((ROOT / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)))
    assert (half_told(blocks), whole(blocks), len(blocks) > 500) == ([], True, True)


@pytest.mark.spec("PEN-025")
@pytest.mark.parametrize(
    "text",
    [
        "What stays unknown costs nothing.",
        "Unknown\n\nis one word; free of charge is what stays unknown.",
        "## Why are some unknown?\n\nTheir server was busy. We say so, and you do not pay for it.",
        "| `unknown` | We could not find out. Costs nothing. |",
        "We could not decide. No credit is taken.",
        "An address without a clear answer is free.",
        "On Free an unknown address costs 1 credit.",
        "What was left open is not charged. Basic checks on Free cost 1 credit each.",
        "*Unknown* comes back at the end.",
        "With full checks unknown costs nothing; basic checks cost 1 credit.",
    ],
)
def test_one_half_alone_is_found(text: str) -> None:
    assert half_told(sentences.of_markdown(text)) != []
    html = "".join(f"<p>{part}</p>" for part in text.split("\n\n")).replace("<p>## ", "<h2>").replace("?</p>", "?</h2>")
    assert half_told(sentences.of_html(html)) != []


@pytest.mark.spec("PEN-025")
@pytest.mark.parametrize(
    "text",
    [
        check_costs.UNKNOWN_COSTS,
        check_costs.WELCOME,
        "A finished list offers *Re-check unknown* once, free.",
        "## Why unknown?\n\nThe server was busy.\n\nTest keys cost nothing.",
        "An account on the Free plan has 100 credits. Duplicates cost nothing.",
    ],
)
def test_both_halves_and_other_things_are_left_alone(text: str) -> None:
    assert half_told(sentences.of_markdown(text)) == []
