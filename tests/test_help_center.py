"""The help center: what it answers, and that its answers are true."""

import re

import pytest
from django.test import Client
from django.urls import get_resolver

from emailcheck.public import help_center
from emailcheck.public.blog import posts

pytestmark = pytest.mark.django_db


def page(client: Client) -> str:
    answer = client.get("/help-center")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.spec("PUB-061")
def test_there_are_questions_and_guides_in_each_of_five_categories(client: Client) -> None:
    groups = help_center.load_groups()
    assert [group.category for group in groups] == [
        "getting-started",
        "features",
        "api-docs",
        "billing",
        "troubleshooting",
    ]
    text = page(client)
    for group in groups:
        titles = [entry.title for entry in group.entries]
        assert any(title.endswith("?") for title in titles)
        assert any(not title.endswith("?") for title in titles)
        assert text.count(f'data-entry="{group.category}"') == len(titles)
    anchors = [entry.anchor for group in groups for entry in group.entries]
    assert len(anchors) >= 25
    assert "" not in anchors
    assert len(set(anchors)) == len(anchors)
    assert re.findall(r'class="help-answer" id="([a-z-]+)"', text) == anchors


@pytest.mark.spec("PUB-063", "PUB-065")
def test_whoever_finds_nothing_is_shown_the_way_to_people(client: Client) -> None:
    text = page(client)
    ways = re.search(r'class="help-ways".*?</nav>', text, re.DOTALL)
    assert ways
    assert re.findall(r'href="([^"]+)"', ways[0]) == ["/", "/about", "/contact", "/dashboard"]
    card = re.search(r'<h2 id="still">Still Need Help\?</h2>.*?</aside>', text, re.DOTALL)
    assert card
    assert 'href="/contact"' in card[0]
    assert re.search(r"data-nothing hidden>\s*<h2>No results found</h2>", text)


@pytest.mark.spec("PUB-064", "LIM-018")
def test_the_limits_are_those_of_the_product(client: Client) -> None:
    assert help_center.list_rate_limits() == [
        ("Free", "10"),
        ("Starter", "50"),
        ("Growth", "100"),
        ("Pro", "200"),
        ("Enterprise", "unlimited"),
    ]
    text = page(client)
    for plan, limit in help_center.list_rate_limits():
        assert f"<td>{plan}</td>\n<td>{limit}</td>" in text
    assert "A free trial brings 100 credits, and a validation costs 1 credit." in text


@pytest.mark.spec("PUB-024")
def test_the_short_address_leads_to_the_page(client: Client) -> None:
    answer = client.get("/help?q=refund")
    assert (answer.status_code, answer["Location"]) == (301, "/help-center?q=refund")


def test_no_text_links_to_nothing() -> None:
    """Pages of ours that other texts name exist, and so do the answers within the help center."""
    known = {str(one.pattern) for one in get_resolver().url_patterns} | {post.path[1:] for post in posts.load_posts()}
    anchors = {entry.anchor for group in help_center.load_groups() for entry in group.entries}
    html = [entry.html for group in help_center.load_groups() for entry in group.entries]
    html += [post.html for post in posts.load_posts()]
    links = {link for text in html for link in re.findall(r'href="(/[^"]*|#[^"]*)"', text)}
    assert len(links) > 15
    assert {link for link in links if link.startswith("/help-center#") and link[13:] not in anchors} == set()
    paths = {re.split(r"[?#]", link)[0].removeprefix("/") for link in links if link.startswith("/")}
    assert paths - known == set()
