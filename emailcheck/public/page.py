"""What every public page shows: the navigation with the way to sign in, and the footer."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from accounts.permissions import page_user
from billing.catalogue import OFFERS
from billing.models import Plan

SECTIONS = (
    ("/#features", "Features"),
    ("/#pricing", "Pricing"),
    ("/#demo-video", "Demo Video"),
    ("/documentation", "API Docs"),
    ("/about", "About"),
    ("/contact", "Contact"),
)
FOOTER = (
    ("Product", (("/#features", "Features"), ("/#pricing", "Pricing"), ("/integrations", "Integrations"))),
    ("Developers", (("/documentation", "Documentation"), ("/api-docs", "API reference"), ("/status", "Status"))),
    ("Company", (("/about", "About"), ("/blog", "Blog"), ("/contact", "Contact"), ("/help-center", "Help"))),
    ("Legal", (("/privacy", "Privacy"), ("/terms", "Terms"), ("/refund-policy", "Refund policy"))),
)


def public_page(
    request: HttpRequest, template: str, context: dict[str, Any] | None = None, *, mode: str = "", status: int = 200
) -> HttpResponse:
    """Render a page that extends `public/base.html`; `mode` opens the sign-in dialog in that mode at once."""
    account = page_user(request)
    values = {
        "account": account,
        "sections": SECTIONS,
        "footer": FOOTER,
        "opening": "load" if mode and account is None else "press",
        "auth": {
            "mode": mode or "login",
            "google": bool(settings.GOOGLE_CLIENT_ID),
            "staff_domain": settings.ADMIN_EMAIL_DOMAIN,
            "free_credits": OFFERS[Plan.FREE].limit,
        },
    }
    return render(request, template, values | (context or {}), status=status)
