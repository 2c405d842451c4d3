"""Pages that compose several apps, and the way into the sandbox."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.permissions import page_user, signed_in
from accounts.viewing_pages import viewing_of
from billing import payment_return as way_back
from billing import plans, pricing, welcome
from billing.catalogue import REFERRAL_BONUS, REFERRAL_REWARD
from billing.models import Status
from billing.presentation import unknown_costs
from emailcheck import known
from emailcheck.common.context import DASHBOARD_TABS, site
from emailcheck.common.errors import NotFound
from emailcheck.common.http import Origin, OutboundError
from emailcheck.public.help_center import quick_answers
from quotes import emails as quote_emails
from quotes import services as quotes
from validation import lookups, provider_gate

# Tabs of the dashboard by key, and those whose content is an island of that name.
TABS = dict(DASHBOARD_TABS)
TAB_ISLANDS = ("validate", "history", "analytics", "pricing", "referrals", "custom-packages")
_KNOWN = {"validate": known.checks, "custom-packages": known.quotes}
_WORLD_BYTES = 16 * 1024 * 1024
_ASKED_WITH = ("Accept", "Content-Type", "Sec-Fetch-Site")
_PASSED_ON = ("Content-Type", "Content-Security-Policy", "X-Frame-Options", "Location", "Cache-Control")


@require_safe
@never_cache
def verify_email(request: HttpRequest) -> HttpResponse:
    """Where the link of the verification mail leads."""
    return render(request, "verify_email.html", {"token": request.GET.get("token", "")})


@require_safe
@never_cache
def reset_password(request: HttpRequest) -> HttpResponse:
    """Where the link of the reset mail leads."""
    return render(request, "reset_password.html", {"token": request.GET.get("token", "")})


@require_safe
@signed_in
def account_settings(request: HttpRequest, user: User) -> HttpResponse:
    """The account's settings; `?tab=` selects a tab."""
    answers = [{"question": part.title, "answer": part.html} for part in quick_answers()]
    context = {
        "answers": answers,
        "support_email": settings.SUPPORT_EMAIL,
        "support_phone": settings.SUPPORT_PHONE,
        "chat": settings.CHAT_WIDGET_SRC,
        "packs": pricing.tables()["packs"],
        "known": known.plan(user) if request.GET.get("tab") == "subscription" else {},
    }
    return render(request, "account_settings.html", {"props": context})


@require_safe
@never_cache
def payment_return(request: HttpRequest) -> HttpResponse:
    """Where PayPal sends the browser back to; the page that it leads to needs a sign-in, this does not."""
    named = [token for name in ("token", "subscription_id") for token in request.GET.getlist(name)]
    return redirect(way_back.arrive(named, cancelled=request.GET.get("cancelled") == "true"))


@require_safe
@never_cache
def admin(request: HttpRequest) -> HttpResponse:
    """The staff area; anybody else sees only the access card. The data is behind calls that check again."""
    return render(request, "admin.html", _staff_area(request))


def _staff_area(request: HttpRequest) -> dict[str, Any]:
    """Who is signed in, who of the staff asks, if anybody; and whether the address is one of the staff's."""
    user = page_user(request)
    return {
        "signed_in": user,
        "staff": user if user is not None and user.is_staff else None,
        "asks": user is not None and user.has_staff_address,
    }


@require_safe
@signed_in
def dashboard(request: HttpRequest, user: User) -> HttpResponse:
    """The customer's dashboard; `?tab=` selects a tab."""
    tab = request.GET.get("tab", "validate")
    if tab not in TABS:
        return redirect("dashboard")
    again = "tour" in request.GET
    # Back from PayPal, what was paid is about to change what is known.
    brought = _KNOWN[tab](user) if tab in _KNOWN and "payment" not in request.GET else {}
    context = {
        "tab": tab,
        "tab_name": TABS[tab],
        "tab_island": tab if tab in TAB_ISLANDS else "",
        "known": brought,
        "providers": provider_gate.named_for(user, choice=None) if tab == "validate" else [],
        "pricing": pricing.tables(),
        "referral_reward": REFERRAL_REWARD,
        "referral_bonus": REFERRAL_BONUS,
        "past_due": plans.standing(user).status == Status.PAST_DUE,
        "full_checks": _full_checks(request, user, brought),
        "tour": viewing_of(request) is None and (again or not user.tour_completed),
        "tour_again": again,
        "unknown_costs": unknown_costs(user),
    }
    return render(request, "dashboard.html", context)


def _full_checks(request: HttpRequest, user: User, brought: known.Json) -> dict[str, Any] | None:
    """What the notice of full checks brings with it, at least as much as its tab; None where there never were any."""
    if welcome.welcome_of(user).ends_at is None:
        return None
    if "payment" in request.GET or "credits" in brought:
        return {"known": brought}
    return {"known": known.checks(user)}


@require_safe
@signed_in
def batch(request: HttpRequest, user: User, batch_id: str) -> HttpResponse:
    """The results of a batch."""
    try:
        found = lookups.batch_for(user, batch_id)
    except NotFound as error:
        raise Http404 from error
    return render(request, "batch.html", {"batch_id": found.public_id, "tab": "history"})


@require_safe
@signed_in
def result(request: HttpRequest, user: User, result_id: int) -> HttpResponse:
    """One verdict with its evidence."""
    try:
        found = lookups.result_for(user, result_id)
    except NotFound as error:
        raise Http404 from error
    return render(request, "result.html", {"result_id": found.pk, "tab": "history"})


@require_safe
@signed_in
def quote(request: HttpRequest, user: User, quote_id: str) -> HttpResponse:
    """The customer's copy of a quote, for printing."""
    return _quote_sheet(request, quote_id, user)


@require_safe
@never_cache
def staff_quote(request: HttpRequest, quote_id: str) -> HttpResponse:
    """Any quote, for printing, for staff; anybody else sees only the access card."""
    area = _staff_area(request)
    if area["staff"] is None:
        return render(request, "admin.html", area, status=403)
    return _quote_sheet(request, quote_id, None)


def _quote_sheet(request: HttpRequest, quote_id: str, user: User | None) -> HttpResponse:
    try:
        found = quotes.load(user=user, quote_id=quote_id)
    except NotFound as error:
        raise Http404 from error
    return render(request, "quote.html", {"quote": found, "offer": quote_emails.content(found)})


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST", "DELETE"])
def sandbox(request: HttpRequest) -> HttpResponse:
    """Hand a request on to the simulated outside world; absent in live mode."""
    if not settings.SANDBOX:
        raise Http404
    headers = {name: request.headers[name] for name in _ASKED_WITH if name in request.headers}
    headers["Cookie"] = f"theme={site(request)['theme']}"
    world = Origin(f"http://127.0.0.1:{settings.SANDBOX_HTTP_PORT}", hands_back_redirects=True, max_bytes=_WORLD_BYTES)
    try:
        answer = world.send(request.method or "GET", request.get_full_path(), headers=headers, content=request.body)
    except OutboundError:
        return render(request, "sandbox_down.html", status=503)
    response = HttpResponse(answer.body, status=answer.status)
    for name in _PASSED_ON:
        if name.lower() in answer.headers:
            response[name] = answer.headers[name.lower()]
    return response
