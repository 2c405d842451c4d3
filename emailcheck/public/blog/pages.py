"""The blog: its first page, the articles, their pictures, and the feed."""

from datetime import UTC, datetime, time
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.feedgenerator import Rss201rev2Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from emailcheck.public.blog import posts
from emailcheck.public.blog.posts import ALL, CATEGORIES, Post
from emailcheck.public.page_frame import render_public_page

FIRST = 6
DESCRIPTION = (
    "How mail is delivered, why it bounces, and how to keep a list clean: concrete, with the replies of real protocols."
)


@require_safe
def blog_page(request: HttpRequest) -> HttpResponse:
    """The articles of a category: the first six, or all with `?show=all`."""
    category = request.GET.get("category", ALL)
    if category not in (ALL, *CATEGORIES):
        raise Http404
    found = posts.list_category(category)
    shown = found if request.GET.get("show") == ALL else found[:FIRST]
    featured = shown[:1] if category == ALL else []
    context = {
        "description": DESCRIPTION,
        "filters": _build_filters(category),
        "featured": featured,
        "cards": shown[len(featured) :],
        "left": len(found) - len(shown),
        "more": _build_address(category, ALL),
    }
    return render_public_page(request, "public/blog.html", context)


@require_safe
def post_page(request: HttpRequest, slug: str) -> HttpResponse:
    """An article, with the ones before and after it."""
    found = _load_post(slug)
    every = posts.load_posts()
    at = every.index(found)
    context = {
        "post": found,
        "facts": _describe_post(found),
        "newer": every[at - 1] if at else None,
        "older": every[at + 1] if at + 1 < len(every) else None,
    }
    return render_public_page(request, "public/post.html", context)


@require_safe
@cache_control(public=True, max_age=86_400)
def cover_image(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of an article as a file."""
    found = _load_post(slug)
    return render(request, "blog/art/cover.svg", {"art": found.art, "alone": True}, content_type="image/svg+xml")


@require_safe
@cache_control(public=True, max_age=3_600)
def rss_feed(request: HttpRequest) -> HttpResponse:
    """Every article, for feed readers (RSS 2.0)."""
    site = settings.SITE_URL
    rss = Rss201rev2Feed(
        title=f"{settings.SITE_NAME} blog",
        link=f"{site}/blog",
        description=DESCRIPTION,
        language="en",
        feed_url=f"{site}/blog/feed.xml",
    )
    for one in posts.load_posts():
        published = datetime.combine(one.date, time(9), UTC)
        link = f"{site}{one.path}"
        rss.add_item(
            title=one.title,
            link=link,
            description=one.excerpt,
            pubdate=published,
            unique_id=link,
            categories=[one.category_name],
        )
    return HttpResponse(rss.writeString("utf-8"), content_type="application/rss+xml; charset=utf-8")


def _load_post(slug: str) -> Post:
    found = posts.find_post(slug)
    if found is None:
        raise Http404
    return found


def _describe_post(found: Post) -> dict[str, Any]:
    """An article in the vocabulary of schema.org."""
    return {
        "@type": "BlogPosting",
        "headline": found.title,
        "description": found.excerpt,
        "datePublished": found.date.isoformat(),
        "author": {"@type": "Organization", "name": f"{settings.SITE_NAME}, {found.author}"},
        "articleSection": found.category_name,
        "image": found.image,
        "mainEntityOfPage": f"{settings.SITE_URL}{found.path}",
    }


def _build_filters(chosen: str) -> list[dict[str, Any]]:
    names = {ALL: "All", **CATEGORIES}
    return [
        {"key": key, "name": names[key], "count": count, "address": _build_address(key), "chosen": key == chosen}
        for key, count in posts.count_posts().items()
    ]


def _build_address(category: str, show: str = "") -> str:
    query = {name: value for name, value in (("category", category), ("show", show)) if value}
    if category == ALL:
        del query["category"]
    return f"/blog?{urlencode(query)}" if query else "/blog"
