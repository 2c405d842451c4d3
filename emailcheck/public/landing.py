"""The landing page, and what its figures rest on."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.access.limits import TRIES
from accounts.access.pages import find_page_user
from accounts.users.models import User
from billing.catalogue import price_tables
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import LISTED, OFFERS, REFERRAL_BONUS
from billing.referrals import services as referrals
from crm.claims import services as claims
from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.text.markdown import render_sections
from emailcheck.public.about import describe_organization, list_figures
from emailcheck.public.page_frame import render_public_page
from emailcheck.public.stories import STORIES, build_stops

# The messages to visitors who were redirected here, by the name of the query.
NOTICES = {
    "ended": "You were signed out. Sign in to go on.",
    "left": "Signed out everywhere",
    "deleted": "Your account has been deleted.",
}
DIALOGS = {"login": "login", "forgot": "forgot"}
# The claims that the page shows as assurances; others are figures.
ASSURANCES = ("no_card", "gdpr", "ccpa", "soc2")
# Addresses of the simulated world, one for each kind of answer.
EXAMPLES = (
    ("valid", "anna.keller@gmail.com"),
    ("invalid", "gone.keller@gmail.com"),
    ("catch_all", "tom.reed@velvetcircuit.com"),
    ("disposable", "anything@mailinator.com"),
)


@require_safe
def landing_page(request: HttpRequest) -> HttpResponse:
    """The public page, with the way to sign in; a query may open a dialog or say what happened."""
    stated = claims.list_public_values()
    user, free_credits = find_page_user(request), OFFERS[Plan.FREE].limit
    context = {
        "pricing": price_tables.build_price_tables(),
        "notice": _find_notice(request, user),
        "demo_logins": DEMO_LOGINS if settings.SANDBOX else (),
        "examples": EXAMPLES if settings.SANDBOX else (),
        "tries": TRIES.requests,
        "trying": {"sandbox": settings.SANDBOX, "signed_in": user is not None, "free_credits": free_credits},
        "free_credits": free_credits,
        "stories": STORIES,
        "example_stops": list(build_stops("refused")),
        "figures": list_figures(stated),
        "assurances": [stated[key] for key in ASSURANCES if key in stated],
        "video": settings.DEMO_VIDEO_URL,
        "answers": render_sections("pages/landing-answers.md"),
        "product": describe_product(),
    }
    dialog = next((mode for name, mode in DIALOGS.items() if request.GET.get(name) == "true"), "")
    return render_public_page(request, "public/landing.html", context, mode=dialog)


def describe_product() -> dict[str, Any]:
    """The product in the vocabulary of schema.org, with the monthly prices of its plans."""
    prices = ((offer.name, offer.monthly) for offer in map(OFFERS.__getitem__, LISTED) if offer.monthly is not None)
    return {
        "@type": "SoftwareApplication",
        "name": settings.SITE_NAME,
        "url": settings.SITE_URL,
        "applicationCategory": "BusinessApplication",
        "operatingSystem": "Any",
        "provider": describe_organization(),
        "offers": [
            {"@type": "Offer", "name": name, "price": f"{price:.2f}", "priceCurrency": "USD"} for name, price in prices
        ],
    }


@require_safe
def methodology_page(request: HttpRequest) -> HttpResponse:
    """What each figure of the public pages means, and where it comes from."""
    context = {
        "claims": [claim for claim in claims.list_claims() if claim.is_public],
        "parts": render_sections("pages/how-we-measure.md"),
    }
    return render_public_page(request, "public/how_we_measure.html", context)


def _find_notice(request: HttpRequest, user: User | None) -> str:
    """What happened before, or whose link a visitor came by."""
    known = next((text for name, text in NOTICES.items() if name in request.GET), "")
    if known or user is not None or not referrals.is_known_code(request.GET.get("ref", "")):
        return known
    return f"A friend invited you: {REFERRAL_BONUS} extra credits are yours when you register and confirm your address."
