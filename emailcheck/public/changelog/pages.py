"""The changelog as a page, and as an Atom feed."""

from datetime import UTC, datetime, time
from itertools import groupby

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from emailcheck.common.text.markdown import render_inline
from emailcheck.public.changelog.entries import ENTRIES, PATH, Entry
from emailcheck.public.page_frame import render_public_page

FEED_PATH = f"{PATH}.atom"
DESCRIPTION = "What was added, changed, deprecated and fixed in the API, with dates and links to the documentation."


@require_safe
def changelog_page(request: HttpRequest) -> HttpResponse:
    """Every entry, by date."""
    days = [(day, list(entries)) for day, entries in groupby(ENTRIES, lambda entry: entry.date)]
    return render_public_page(request, "public/changelog.html", {"description": DESCRIPTION, "days": days})


@require_safe
@cache_control(public=True, max_age=3_600)
def atom_feed(request: HttpRequest) -> HttpResponse:
    """Every entry, for feed readers (RFC 4287)."""
    feed = Atom1Feed(
        title=f"{settings.SITE_NAME} changelog",
        link=f"{settings.SITE_URL}{PATH}",
        description=DESCRIPTION,
        subtitle=DESCRIPTION,
        language="en",
        author_name=settings.SITE_NAME,
        feed_url=f"{settings.SITE_URL}{FEED_PATH}",
    )
    for entry in ENTRIES:
        feed.add_item(
            title=entry.title,
            link=entry.address,
            description=render_inline(entry.text),
            unique_id=entry.address,
            pubdate=_publish_time(entry),
            updateddate=_publish_time(entry),
            categories=[entry.kind.value],
        )
    return HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def _publish_time(entry: Entry) -> datetime:
    return datetime.combine(entry.date, time(9), UTC)
