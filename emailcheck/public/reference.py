"""`/api-docs`, the reference of the API, and what programs that write programs read: `/llms.txt`."""

import re
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from accounts.permissions import page_user
from billing.catalogue import LISTED, OFFERS
from billing.models import Plan
from emailcheck.common.throttles import UNLIMITED
from emailcheck.error_catalogue import CATALOGUE
from emailcheck.public.page import public_page
from emailcheck.public.reference_model import reference, tryable
from validation import magic

_KEPT_S = 3_600
_TEXT = "text/plain; charset=utf-8"
_BLANK_LINES = re.compile(r"\n\s*\n")


@require_safe
def api_docs(request: HttpRequest) -> HttpResponse:
    """Every call that takes a key, with a console to try it; then those that need a sign-in."""
    console = {"calls": tryable(), "signedIn": page_user(request) is not None}
    return public_page(request, "reference/page.html", {"content": _content(), "nav": _values(), "console": console})


@require_safe
@cache_control(public=True, max_age=_KEPT_S)
def llms(request: HttpRequest) -> HttpResponse:
    """What there is to read, for language models (llmstxt.org)."""
    return HttpResponse(_text("llms.txt"), content_type=_TEXT)


@require_safe
@cache_control(public=True, max_age=_KEPT_S)
def llms_full(request: HttpRequest) -> HttpResponse:
    """The whole reference as text."""
    return HttpResponse(_text("llms_full.txt"), content_type=_TEXT)


@cache
def _content() -> SafeString:
    """The body of the page, which changes with the code alone."""
    return render_to_string("reference/content.html", _values())


@cache
def _text(name: str) -> str:
    return _BLANK_LINES.sub("\n\n", render_to_string(f"reference/{name}", _values(), using="text"))


def _values() -> dict[str, Any]:
    plans = [OFFERS[plan] for plan in (*LISTED, Plan.ENTERPRISE)]
    return {
        "reference": reference(),
        "errors": CATALOGUE,
        "verdicts": magic.VERDICTS,
        "behaviours": magic.BEHAVIOURS,
        "plans": plans,
        "unlimited": UNLIMITED,
        "base": f"{settings.SITE_URL}/api/v1",
        "site_url": settings.SITE_URL,
        "site_name": settings.SITE_NAME,
    }
