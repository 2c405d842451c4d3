"""The articles of the blog: Markdown files below `templates/blog`, whose first lines say what a card shows."""

from collections import Counter
from dataclasses import dataclass
from datetime import date
from functools import cache
from math import ceil
from pathlib import Path

from django.conf import settings
from django.utils.safestring import SafeString

from emailcheck.common.text.markdown import render_text

CATEGORIES = {
    "email-marketing": "Email marketing",
    "data-quality": "Data quality",
    "product-updates": "Product updates",
}
CATEGORY_CHOICES = tuple(CATEGORIES.items())
ALL = "all"
_WORDS_A_MINUTE = 220


@dataclass(frozen=True, slots=True)
class Post:
    """An article."""

    slug: str
    title: str
    excerpt: str
    category: str
    author: str
    date: date
    minutes: int
    html: SafeString

    @property
    def category_name(self) -> str:
        return CATEGORIES[self.category]

    @property
    def read_time(self) -> str:
        return f"{self.minutes} min read"

    @property
    def path(self) -> str:
        return f"/blog/{self.slug}"

    @property
    def art(self) -> str:
        """Template of what its picture shows, within the frame of `blog/art/cover.svg`."""
        return f"blog/art/{self.slug}.svg"

    @property
    def image(self) -> str:
        """Address of the picture, with the host."""
        return f"{settings.SITE_URL}{self.path}/cover.svg"


@cache
def load_posts() -> tuple[Post, ...]:
    """All articles, newest first."""
    files = sorted((Path(settings.BASE_DIR) / "templates" / "blog").glob("*.md"))
    return tuple(
        sorted((_load_post(file.stem) for file in files), key=lambda post: (post.date, post.slug), reverse=True)
    )


def list_category(category: str) -> list[Post]:
    """Those of a category, or all."""
    return [post for post in load_posts() if category in (ALL, post.category)]


def find_post(slug: str) -> Post | None:
    """The article of that name."""
    return next((post for post in load_posts() if post.slug == slug), None)


def count_posts() -> dict[str, int]:
    """How many articles each category has, all of them first."""
    found = Counter(post.category for post in load_posts())
    return {ALL: found.total()} | {category: found[category] for category in CATEGORIES}


def _load_post(slug: str) -> Post:
    found = render_text(f"blog/{slug}.md")
    facts = dict(found.facts)
    day, minutes = date.fromisoformat(facts.pop("date")), ceil(found.words / _WORDS_A_MINUTE)
    return Post(slug=slug, date=day, minutes=minutes, html=found.html, **facts)
