"""The blog: pages, feed and calls."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from rest_framework.test import APIClient

from emailcheck.public.blog import posts

pytestmark = pytest.mark.django_db
COUNTS = {"all": 12, "email-marketing": 5, "data-quality": 4, "product-updates": 3}


def page(client: Client, address: str = "/blog") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def slugs(text: str) -> list[str]:
    """The articles of which the page shows cards, in their order."""
    return re.findall(r'<h2><a href="/blog/([a-z-]+)">', text)


@pytest.mark.spec("PUB-071", "PUB-075")
def test_the_filter_counts_what_there_is(client: Client) -> None:
    text = page(client)
    filters = re.search(r'<nav class="pills blog-filters".*?</nav>', text)
    assert filters
    found = re.findall(r'<a href="([^"]+)" data-swap[^>]*>([\w ]+) <small>(\d+)</small>', filters[0])
    assert found == [
        ("/blog", "All", "12"),
        ("/blog?category=email-marketing", "Email marketing", "5"),
        ("/blog?category=data-quality", "Data quality", "4"),
        ("/blog?category=product-updates", "Product updates", "3"),
    ]
    for category in ("email-marketing", "data-quality", "product-updates"):
        shown = slugs(page(client, f"/blog?category={category}"))
        assert shown == [post.slug for post in posts.load_posts() if post.category == category]
    assert client.get("/blog?category=nothing").status_code == 404


@pytest.mark.spec("PUB-072", "PUB-075")
def test_six_come_first_with_one_of_them_featured_and_the_rest_on_demand(client: Client) -> None:
    every = [post.slug for post in posts.load_posts()]
    text = page(client)
    assert slugs(text) == every[:6]
    assert re.findall(r'post-card-large" data-item.*?<h2><a href="/blog/([a-z-]+)">', text) == every[:1]
    assert text.count("Featured") == 1
    assert '<a class="button button-large" href="/blog?show=all" data-swap="more">Load more</a>' in text
    everything = page(client, "/blog?show=all")
    assert slugs(everything) == every
    assert "Load more" not in everything
    chosen = page(client, "/blog?category=email-marketing")
    assert "Featured" not in chosen
    assert "Load more" not in chosen


@pytest.mark.spec("PUB-073")
def test_a_card_says_what_the_article_is(client: Client) -> None:
    post = posts.load_posts()[1]
    text = page(client)
    card = next(part for part in text.split("<article")[1:] if f'href="{post.path}"' in part)
    for shown in (post.title, post.excerpt, post.category_name, post.author, post.read_time):
        assert shown in card
    assert f'<time datetime="{post.date.isoformat()}">' in card
    assert "<svg" in card
    assert f'href="{post.path}">Read More<span class="visually-hidden">: {post.title}</span></a>' in card


@pytest.mark.spec("PUB-073")
def test_every_article_is_whole() -> None:
    for post in posts.load_posts():
        assert post.category in posts.CATEGORIES
        assert 3 <= post.minutes <= 5
        assert 60 <= len(post.excerpt) <= 220
        assert post.html.count("<h2>") >= 3
        assert "<p>" in post.html
        assert "{{" not in post.html


@pytest.mark.spec("PUB-076", "PUB-022")
def test_an_article_has_an_address_of_its_own(client: Client) -> None:
    first, second, third = posts.load_posts()[:3]
    text = page(client, second.path)
    assert f"<h1>{second.title}</h1>" in text
    assert f"<title>{second.title} · EmailCheck</title>" in text
    assert f'<meta name="description" content="{second.excerpt}">' in text
    assert '<meta property="og:type" content="article">' in text
    facts = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert facts
    assert json.loads(facts[1])["headline"] == second.title
    assert f'href="{third.path}" rel="prev"' in text
    assert f'href="{first.path}" rel="next"' in text
    assert '<a class="post-back" href="/blog">Blog</a>' in text
    unknown = client.get("/blog/nothing")
    assert unknown.status_code == 404
    assert client.get("/blog/nothing/cover.svg").status_code == 404


@pytest.mark.spec("PUB-073")
def test_the_picture_is_a_file_too(client: Client) -> None:
    for post in posts.load_posts():
        answer = client.get(f"{post.path}/cover.svg")
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/svg+xml")
        drawn = ET.fromstring(answer.content.decode())  # ours
        assert drawn.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.spec("PUB-075")
def test_feed_readers_get_every_article(client: Client, settings: Any) -> None:
    answer = client.get("/blog/feed.xml")
    assert answer["Content-Type"] == "application/rss+xml; charset=utf-8"
    channel = ET.fromstring(answer.content.decode()).find("channel")
    assert channel is not None
    links = [item.findtext("link") for item in channel.findall("item")]
    assert links == [f"{settings.SITE_URL}{post.path}" for post in posts.load_posts()]


@pytest.mark.spec("PUB-071", "PUB-073", "PUB-075")
def test_programs_page_through_the_articles(anonymous_api: APIClient, settings: Any) -> None:
    answer = anonymous_api.get("/api/blog/posts").json()
    assert set(answer) == {"posts", "counts", "total"}
    assert (answer["counts"], answer["total"], len(answer["posts"])) == (COUNTS, 12, 6)
    first = posts.load_posts()[0]
    assert answer["posts"][0] == {
        "slug": first.slug,
        "title": first.title,
        "excerpt": first.excerpt,
        "category": first.category,
        "author": first.author,
        "date": first.date.isoformat(),
        "read_time": first.read_time,
        "image": f"{settings.SITE_URL}{first.path}/cover.svg",
    }
    rest = anonymous_api.get("/api/blog/posts?category=data-quality&offset=3&limit=5").json()
    assert [post["slug"] for post in rest["posts"]] == [posts.list_category("data-quality")[3].slug]
    assert rest["total"] == 4
    for wrong in ("category=x", "limit=0", "offset=-1"):
        assert anonymous_api.get(f"/api/blog/posts?{wrong}").status_code == 400


@pytest.mark.spec("PUB-076")
def test_programs_read_an_article(anonymous_api: APIClient) -> None:
    first = posts.load_posts()[0]
    answer = anonymous_api.get(f"/api/v1/blog/posts/{first.slug}").json()
    assert answer["content_html"] == first.html
    assert set(answer) == {
        "slug",
        "title",
        "excerpt",
        "category",
        "author",
        "date",
        "read_time",
        "image",
        "content_html",
    }
    unknown = anonymous_api.get("/api/blog/posts/nothing")
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Post not found")
