"""The landing page, and what its figures rest on."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.limits import TRIES
from accounts.models import User
from accounts.permissions import page_user
from billing import pricing, referrals
from billing.catalogue import OFFERS, REFERRAL_BONUS
from billing.models import Plan
from crm import claims
from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.markdown import sections
from emailcheck.public.about import figures
from emailcheck.public.page import public_page

# What the page says to whoever was sent there, by the name of the query.
NOTICES = {
    "ended": "Your session has ended. Please sign in again.",
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
def landing(request: HttpRequest) -> HttpResponse:
    """The public page, with the way to sign in; a query may open a dialog or say what happened."""
    stated = claims.public()
    user, free_credits = page_user(request), OFFERS[Plan.FREE].limit
    context = {
        "pricing": pricing.tables(),
        "notice": _notice(request, user),
        "demo_logins": DEMO_LOGINS if settings.SANDBOX else (),
        "examples": EXAMPLES if settings.SANDBOX else (),
        "tries": TRIES.requests,
        "trying": {"sandbox": settings.SANDBOX, "signed_in": user is not None, "free_credits": free_credits},
        "free_credits": free_credits,
        "figures": figures(stated),
        "assurances": [stated[key] for key in ASSURANCES if key in stated],
        "video": settings.DEMO_VIDEO_URL,
        "answers": sections("pages/landing-answers.md"),
    }
    dialog = next((mode for name, mode in DIALOGS.items() if request.GET.get(name) == "true"), "")
    return public_page(request, "public/landing.html", context, mode=dialog)


@require_safe
def how_we_measure(request: HttpRequest) -> HttpResponse:
    """What each figure of the public pages says, and where it comes from."""
    context = {
        "claims": [claim for claim in claims.everything() if claim.is_public],
        "parts": sections("pages/how-we-measure.md"),
    }
    return public_page(request, "public/how_we_measure.html", context)


def _notice(request: HttpRequest, user: User | None) -> str:
    """What happened before, or whose link a visitor came by."""
    known = next((text for name, text in NOTICES.items() if name in request.GET), "")
    if known or user is not None or not referrals.is_known(request.GET.get("ref", "")):
        return known
    return f"A friend invited you: {REFERRAL_BONUS} extra credits are yours when you register and confirm your address."
