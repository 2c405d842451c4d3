"""The landing page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.permissions import page_user
from billing import pricing, referrals
from billing.catalogue import REFERRAL_BONUS
from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.public.page import public_page

# What the page says to whoever was sent there, by the name of the query.
NOTICES = {
    "ended": "Your session has ended. Please sign in again.",
    "left": "Signed out everywhere",
    "deleted": "Your account has been deleted.",
}
DIALOGS = {"login": "login", "forgot": "forgot"}


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """The public page, with the way to sign in; a query may open a dialog or say what happened."""
    context = {
        "pricing": pricing.tables(),
        "notice": _notice(request, page_user(request)),
        "demo_logins": DEMO_LOGINS if settings.SANDBOX else (),
    }
    dialog = next((mode for name, mode in DIALOGS.items() if request.GET.get(name) == "true"), "")
    return public_page(request, "public/landing.html", context, mode=dialog)


def _notice(request: HttpRequest, user: User | None) -> str:
    """What happened before, or whose link a visitor came by."""
    known = next((text for name, text in NOTICES.items() if name in request.GET), "")
    if known or user is not None or not referrals.is_known(request.GET.get("ref", "")):
        return known
    return f"A friend invited you: {REFERRAL_BONUS} extra credits are yours when you register and confirm your address."
