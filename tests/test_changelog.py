"""The changelog, its feed, what the documentation says about versions, and where to report faults of security."""

import re
from datetime import UTC, date, datetime
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import time_machine
from django.test import Client

from emailcheck.common.api.deprecations import DEPRECATIONS, Deprecation
from emailcheck.public.changelog.entries import ENTRIES, Kind
from emailcheck.public.documentation.version_tables import build_deprecated_table
from tests.documentation import chapters, page, rows, text_of

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"
RELEASED = {
    "cursors-and-limits", "names-of-counts", "opaque-ids", "unknown-parameters", "scopes", "webhooks-by-key",
    "test-endpoints-on-every-plan", "status-limit", "test-address", "public-description", "reasons", "leaked-keys",
    "python-client",
}  # fmt: skip


def changelog(client: Client) -> str:
    answer = client.get("/changelog")
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.mark.spec("API-053")
def test_the_page_shows_each_entry_with_anchor_kind_and_link(client: Client) -> None:
    html = changelog(client)
    shown = re.findall(r'<article class="changelog-entry" id="([a-z-]+)".*?</article>', html, re.DOTALL)
    assert shown == [entry.anchor for entry in ENTRIES]
    assert len(set(shown)) == len(shown)
    for entry, part in zip(ENTRIES, html.split("<article")[1:], strict=True):
        assert f'class="badge changelog-{entry.kind.value}">{entry.kind.value}</span>' in part
        assert f'href="{entry.docs}"' in part
    days = re.findall(r'<time datetime="([0-9-]+)">', html)
    assert days == ["2026-11-28", "2026-11-22", "2026-11-21", "2026-11-20"]
    assert [entry.date for entry in ENTRIES] == sorted((entry.date for entry in ENTRIES), reverse=True)
    assert {entry.kind for entry in ENTRIES} == set(Kind)
    assert {entry.anchor for entry in ENTRIES if entry.date == date(2026, 11, 28)} >= RELEASED


@pytest.mark.spec("API-053")
def test_links_of_entries_lead_somewhere(client: Client) -> None:
    ids = {
        path: set(re.findall(r' id="([^"]+)"', client.get(path).content.decode()))
        for path in ("/documentation", "/api-docs")
    }
    targets = [entry.docs.partition("#") for entry in ENTRIES]
    assert [(path, anchor) for path, _, anchor in targets if anchor and anchor not in ids[path]] == []
    assert {path for path, _, _ in targets} <= set(ids)


@pytest.mark.spec("API-053")
def test_the_feed_is_atom_with_the_same_entries(client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://check.example"
    answer = client.get("/changelog.atom")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/atom+xml; charset=utf-8")
    feed = ET.fromstring(answer.content)
    assert feed.tag == f"{ATOM}feed"
    assert [feed.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated")] == [
        "https://check.example/changelog", "EmailCheck changelog", "2026-11-28T09:00:00+00:00",
    ]  # fmt: skip
    assert feed.findtext(f"{ATOM}author/{ATOM}name") == "EmailCheck"
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {"alternate": "https://check.example/changelog", "self": "https://check.example/changelog.atom"}
    found = feed.findall(f"{ATOM}entry")
    assert [one.findtext(f"{ATOM}id") for one in found] == [
        f"https://check.example/changelog#{entry.anchor}" for entry in ENTRIES
    ]
    for one, entry in zip(found, ENTRIES, strict=True):
        category = one.find(f"{ATOM}category")
        assert category is not None
        assert (one.findtext(f"{ATOM}title"), category.get("term")) == (entry.title, entry.kind.value)
        assert one.findtext(f"{ATOM}updated") == f"{entry.date.isoformat()}T09:00:00+00:00"
        assert one.findtext(f"{ATOM}summary")


@pytest.mark.spec("API-053")
def test_page_and_feed_are_linked_and_in_the_sitemap(client: Client) -> None:
    html = changelog(client)
    assert (
        '<link rel="alternate" type="application/atom+xml" title="EmailCheck changelog" href="/changelog.atom">' in html
    )
    assert '<a href="/changelog">Changelog</a>' in client.get("/about").content.decode()
    places = re.findall(r"<loc>https?://[^/]+(.*?)</loc>", client.get("/sitemap.xml").content.decode())
    assert {"/changelog", "/changelog.atom"} <= set(places)
    assert client.post("/changelog").status_code == 405


@pytest.mark.spec("API-052")
def test_the_documentation_says_what_may_change() -> None:
    told = chapters(page())["changelog"]
    text = " ".join(text_of(told).split())
    for said in (
        "members of answers", "events of webhooks", "values of reason", "optional parameters",
        "A break is anything else",        "at least 12 months before its sunset", "Faults of security are excepted",
    ):  # fmt: skip
        assert said in text
    listed = [row for row in rows(told) if len(row) == 4]
    assert [(row[0], row[2], row[3]) for row in listed] == [
        (one.name.replace("`", ""), "28 November 2026", "30 November 2027") for one in DEPRECATIONS
    ]
    assert told.count('href="/changelog#') == len(DEPRECATIONS) + 8
    assert '<a href="/changelog">All changes</a>' in told


@pytest.mark.spec("API-052")
def test_what_is_deprecated_has_an_entry_and_a_year() -> None:
    anchors = {entry.anchor: entry.date for entry in ENTRIES}
    for one in DEPRECATIONS:
        assert anchors[one.anchor] == one.since
        assert one.sunset >= one.since.replace(year=one.since.year + 1)


@pytest.mark.spec("API-052")
def test_the_table_is_made_from_any_registry() -> None:
    old = Deprecation("old_name", date(2026, 1, 2), date(2027, 3, 4), "names", "Read new_name.")
    assert build_deprecated_table([old]).splitlines()[2:] == [
        "| `old_name` | Read new_name. | [2 January 2026](/changelog#names) | 4 March 2027 |"
    ]


def test_faults_of_security_have_an_address(client: Client, settings: Any) -> None:
    settings.SITE_URL, settings.SUPPORT_EMAIL = "https://check.example", "help@check.example"
    with time_machine.travel(datetime(2026, 11, 28, 15, 4, 5, tzinfo=UTC), tick=False):
        answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert answer.content.decode().splitlines() == [
        "Contact: mailto:help@check.example",
        "Contact: https://check.example/contact",
        "Expires: 2027-05-27T00:00:00Z",
        "Preferred-Languages: en",
        "Canonical: https://check.example/.well-known/security.txt",
    ]
