"""What every public page shows: the navigation with the way to sign in, the footer, the choice about cookies."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page

from accounts.access.pages import find_page_user
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS
from emailcheck.public import caching

SECTIONS = (
    ("/#features", "Features"),
    ("/#pricing", "Pricing"),
    ("/#demo-video", "Demo Video"),
    ("/documentation", "API Docs"),
    ("/about", "About"),
    ("/contact", "Contact"),
)
FOOTER = (
    (
        "Product",
        (
            ("/#features", "Features"),
            ("/#pricing", "Pricing"),
            ("/integrations", "Integrations"),
            ("/status", "Status"),
        ),
    ),
    (
        "Developers",
        (
            ("/documentation", "Documentation"),
            ("/api-docs", "API reference"),
            ("/changelog", "Changelog"),
            ("/how-we-measure", "How we measure"),
        ),
    ),
    ("Company", (("/about", "About"), ("/blog", "Blog"), ("/help", "Help"), ("/contact", "Contact"))),
    ("Legal", (("/privacy", "Privacy"), ("/terms", "Terms"), ("/refund-policy", "Refund policy"))),
)


@gzip_page
def render_public_page(
    request: HttpRequest,
    template: str,
    context: dict[str, Any] | None = None,
    *,
    mode: str = "",
    status: int = 200,
    kept_s: int = caching.CACHE_S,
) -> HttpResponse:
    """Render a page that extends `public/base.html`.

    `mode` opens the sign-in dialog in that mode at once; a visitor's browser may keep it for `kept_s` seconds.
    """
    account = find_page_user(request)
    values = {
        "account": account,
        "person": account,
        "sections": SECTIONS,
        "footer": FOOTER,
        "chat": settings.CHAT_WIDGET_SRC,
        "opening": "load" if mode and account is None else "press",
        "auth": build_sign_in_props(mode or "login"),
    }
    page = render(request, template, values | (context or {}), status=status)
    return caching.cache_publicly(request, page, seconds=kept_s)


def build_sign_in_props(mode: str) -> dict[str, Any]:
    """What the sign-in dialog is made with, on every page that has one."""
    return {
        "mode": mode,
        "google": bool(settings.GOOGLE_CLIENT_ID),
        "staff_domain": settings.ADMIN_EMAIL_DOMAIN,
        "support_email": settings.SUPPORT_EMAIL,
        "free_credits": OFFERS[Plan.FREE].limit,
    }
