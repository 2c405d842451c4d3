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

from accounts.access.pages import find_page_user
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import LISTED, OFFERS
from emailcheck.common.api.throttles import UNLIMITED
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from emailcheck.public.documentation.reason_rows import list_reason_rows
from emailcheck.public.page_frame import render_public_page
from emailcheck.public.reference.layout import list_tryable, load_reference
from emailcheck.public.reference.reach import describe_reach
from validation.testmode import addresses

_KEPT_S = 3_600
_TEXT = "text/plain; charset=utf-8"
_BLANK_LINES = re.compile(r"\n\s*\n")


@require_safe
def reference_page(request: HttpRequest) -> HttpResponse:
    """Every call that takes a key, with a console to try it; then those that need a sign-in."""
    console = {"calls": list_tryable(), "signedIn": find_page_user(request) is not None}
    return render_public_page(
        request, "reference/page.html", {"content": _render_content(), "nav": _template_values(), "console": console}
    )


@require_safe
@cache_control(public=True, max_age=_KEPT_S)
def llms_txt(request: HttpRequest) -> HttpResponse:
    """What there is to read, for language models (llmstxt.org)."""
    return HttpResponse(_render_text("llms.txt"), content_type=_TEXT)


@require_safe
@cache_control(public=True, max_age=_KEPT_S)
def llms_full_txt(request: HttpRequest) -> HttpResponse:
    """The whole reference as text."""
    return HttpResponse(_render_text("llms_full.txt"), content_type=_TEXT)


@cache
def _render_content() -> SafeString:
    """The body of the page, which changes with the code alone."""
    return render_to_string("reference/content.html", _template_values())


@cache
def _render_text(name: str) -> str:
    return _BLANK_LINES.sub("\n\n", render_to_string(f"reference/{name}", _template_values(), using="text"))


def _template_values() -> dict[str, Any]:
    plans = [OFFERS[plan] for plan in (*LISTED, Plan.ENTERPRISE)]
    return {
        "reference": load_reference(),
        "errors": CATALOGUE,
        "reasons": list_reason_rows(),
        "reach": describe_reach(),
        "verdicts": addresses.VERDICTS,
        "behaviours": addresses.BEHAVIOURS,
        "plans": plans,
        "unlimited": UNLIMITED,
        "base": f"{settings.SITE_URL}/api/v1",
        "site_url": settings.SITE_URL,
        "site_name": settings.SITE_NAME,
    }
