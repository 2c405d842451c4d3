"""Pages that compose several apps, and the way into the sandbox."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access.page_context import TAB_RIGHTS
from accounts.access.pages import (
    find_page_closure,
    find_page_user,
    page_membership,
    require_sign_in,
    set_page_membership,
)
from accounts.access.viewing_tokens import current_viewing
from accounts.keys.leaks import list_notices
from accounts.keys.leaks_serializers import present_notice
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import Right, may
from accounts.users.models import User
from billing.catalogue import price_tables
from billing.catalogue.price_list import REFERRAL_BONUS, REFERRAL_REWARD
from billing.checkout.payment_return import handle_return
from billing.subscriptions import entitlements, welcome_credits
from billing.subscriptions.models import Status
from billing.subscriptions.presentation import describe_unknown_costs
from emailcheck import page_data
from emailcheck.common.api.serializers import Json
from emailcheck.common.errors import NotFound
from emailcheck.common.outbound.http import Origin, OutboundError
from emailcheck.common.web.context import DASHBOARD_TABS, site_context
from emailcheck.public.help_center import list_quick_answers
from emailcheck.team_pages import render_closure, render_owned, render_refusal
from quotes.quotes import emails as quote_emails
from quotes.quotes import services as quotes
from validation.access.readers import Reader
from validation.batches.queries import load_batch
from validation.providers import allowance
from validation.results.ids import load_result, write_result_id

# Tabs of the dashboard by key, and those whose content is an island of that name.
TABS = dict(DASHBOARD_TABS)
# The tabs of the staff area, which `islands/admin.tsx` draws, as its menu on phones groups them.
STAFF_NAV_GROUPS = (
    ("Business", (("overview", "Overview"), ("revenue", "Revenue Intelligence"))),
    ("Customers", (("users", "User Management"), ("credits", "Credit Management"))),
    ("Sales", (("quotes", "Quote Generator"), ("plans", "Plan Builder"), ("crm", "CRM & Contracts"))),
    (
        "Operation",
        (
            ("api-monitor", "API Monitor"),
            ("system", "System Admin"),
            ("monitoring", "Monitoring & Alerts"),
            ("api-credits", "API Credits"),
        ),
    ),
)
STAFF_PHONE_TABS = (("overview", "Overview"), ("users", "Users"), ("crm", "Sales"))
TAB_ISLANDS = ("validate", "history", "analytics", "pricing", "referrals", "custom-packages")
_KNOWN = {"validate": page_data.load_checks, "custom-packages": page_data.load_quotes}
_WORLD_BYTES = 16 * 1024 * 1024
_REQUEST_HEADERS = ("Accept", "Authorization", "Content-Type", "Sec-Fetch-Site")
_RESPONSE_HEADERS = ("Content-Type", "Content-Security-Policy", "X-Frame-Options", "Location", "Cache-Control")


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
@require_sign_in
def account_settings(request: HttpRequest, user: User) -> HttpResponse:
    """The account's settings; `?tab=` selects a tab."""
    organisation = page_membership(request).organisation
    shows_plan = request.GET.get("tab") == "subscription" and find_page_closure(request) is None
    answers = [{"question": part.title, "answer": part.html} for part in list_quick_answers()]
    context = {
        "answers": answers,
        "support_email": settings.SUPPORT_EMAIL,
        "support_phone": settings.SUPPORT_PHONE,
        "chat": settings.CHAT_WIDGET_SRC,
        "packs": price_tables.build_price_tables()["packs"],
        "known": page_data.load_subscription(organisation) if shows_plan else {},
    }
    notices = _load_key_leaks(request, user, organisation)
    return render(request, "account_settings.html", {"props": context, "user": user, "key_leaks": notices})


@require_safe
@never_cache
def payment_return(request: HttpRequest) -> HttpResponse:
    """Where PayPal sends the browser back to; the page that it leads to needs a sign-in, this does not."""
    named = [token for name in ("token", "subscription_id") for token in request.GET.getlist(name)]
    return redirect(handle_return(named, cancelled=request.GET.get("cancelled") == "true"))


@require_safe
@never_cache
def staff_area(request: HttpRequest) -> HttpResponse:
    """The staff area; others see only the access card. The data comes from calls that check again."""
    return render(request, "admin.html", _build_staff_context(request))


def _build_staff_context(request: HttpRequest) -> dict[str, Any]:
    """The signed-in account, the member of staff, if any, and whether the address is one of staff."""
    user = find_page_user(request)
    if user is not None:
        set_page_membership(request, user)
    return {
        "signed_in": user,
        "staff": user if user is not None and user.is_staff else None,
        "asks": user is not None and user.has_staff_address,
        "user": user,
        "tab": request.GET.get("tab", "overview"),
        "nav_page": "/admin",
        "nav_groups": STAFF_NAV_GROUPS,
        "phone_tabs": STAFF_PHONE_TABS,
    }


@require_safe
@require_sign_in
def dashboard_page(request: HttpRequest, user: User) -> HttpResponse:
    """The customer's dashboard; `?tab=` selects a tab."""
    membership = page_membership(request)
    tab = request.GET.get("tab") or _choose_first_tab(membership)
    if tab not in TABS:
        return redirect("dashboard")
    if (closed := render_closure(request)) is not None:
        return closed
    if not may(membership.role, TAB_RIGHTS.get(tab, Right.LOOK)):
        return render_refusal(request, membership, tab=tab)
    again, organisation = "tour" in request.GET, membership.organisation
    # Back from PayPal, what was paid is about to change what is known.
    brought = _KNOWN[tab](organisation) if tab in _KNOWN and "payment" not in request.GET else {}
    context = {
        "tab": tab,
        "tab_name": TABS[tab],
        "tab_island": tab if tab in TAB_ISLANDS else "",
        "known": brought,
        "providers": allowance.list_provider_titles(organisation, choice=None) if tab == "validate" else [],
        "pricing": price_tables.build_price_tables(),
        "referral_reward": REFERRAL_REWARD,
        "referral_bonus": REFERRAL_BONUS,
        "past_due": entitlements.load_current_plan(organisation).status == Status.PAST_DUE,
        "key_leaks": _load_key_leaks(request, user, organisation),
        "full_checks": _load_full_checks(request, organisation, brought),
        "tour": current_viewing(request) is None and (again or not user.tour_completed),
        "tour_again": again,
        "unknown_costs": describe_unknown_costs(organisation),
    }
    return render(request, "dashboard.html", context)


def _load_key_leaks(request: HttpRequest, user: User, organisation: Organisation) -> list[Json]:
    """What a person is told of keys that were found in public; nothing while staff look at the account, or where the
    organisation is closed to them."""
    if current_viewing(request) is not None or find_page_closure(request) is not None:
        return []
    return [present_notice(notice) for notice in list_notices(user=user, organisation=organisation)]


def _choose_first_tab(membership: Membership) -> str:
    """The first tab that only some roles open, and this one does."""
    return next(tab for tab, right in TAB_RIGHTS.items() if may(membership.role, right))


def _load_full_checks(request: HttpRequest, organisation: Organisation, brought: Json) -> dict[str, Any] | None:
    """What the notice of full checks brings with it, at least as much as its tab; None where there never were any."""
    if welcome_credits.load_welcome(organisation).ends_at is None:
        return None
    if "payment" in request.GET or "credits" in brought:
        return {"known": brought}
    return {"known": page_data.load_checks(organisation)}


@require_safe
@require_sign_in
def batch_results(request: HttpRequest, user: User, batch_id: str) -> HttpResponse:
    """The results of a batch."""
    return _render_batch(request, "batch.html", batch_id)


@require_safe
@require_sign_in
def next_steps(request: HttpRequest, user: User, batch_id: str) -> HttpResponse:
    """What to do with a batch that has ended."""
    return _render_batch(request, "next_steps.html", batch_id)


def _render_batch(request: HttpRequest, template: str, batch_id: str) -> HttpResponse:
    def show(membership: Membership) -> dict[str, Any]:
        found = load_batch(Reader.from_membership(membership), batch_id)
        return {"batch_id": found.public_id, "tab": "history"}

    return render_owned(request, template, show)


@require_safe
@require_sign_in
def verdict_detail(request: HttpRequest, user: User, result_id: str) -> HttpResponse:
    """One verdict with its evidence."""

    def show(membership: Membership) -> dict[str, Any]:
        found = load_result(Reader.from_membership(membership), result_id)
        return {"result_id": write_result_id(found.pk), "tab": "history"}

    return render_owned(request, "result.html", show)


@require_safe
@require_sign_in
def quote_sheet(request: HttpRequest, user: User, quote_id: str) -> HttpResponse:
    """The customer's copy of a quote, for printing."""
    membership = page_membership(request)
    if (closed := render_closure(request)) is not None:
        return closed
    if not may(membership.role, Right.PAY):
        return render_refusal(request, membership)
    return _render_quote_sheet(request, quote_id, membership.organisation)


@require_safe
@never_cache
def staff_quote(request: HttpRequest, quote_id: str) -> HttpResponse:
    """Any quote, for printing, for staff; others see only the access card."""
    area = _build_staff_context(request)
    if area["staff"] is None:
        return render(request, "admin.html", area, status=403)
    return _render_quote_sheet(request, quote_id, None)


def _render_quote_sheet(request: HttpRequest, quote_id: str, organisation: Organisation | None) -> HttpResponse:
    try:
        found = quotes.load_quote(organisation=organisation, quote_id=quote_id)
    except NotFound as error:
        raise Http404 from error
    return render(request, "quote.html", {"quote": found, "offer": quote_emails.build_context(found)})


@require_safe
def design_page(request: HttpRequest) -> HttpResponse:
    """Every part of the interface in all its states; absent in live mode."""
    if not settings.SANDBOX:
        raise Http404
    return render(request, "sandbox_design.html")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST", "DELETE"])
def sandbox_proxy(request: HttpRequest) -> HttpResponse:
    """Hand a request on to the simulated outside world; absent in live mode."""
    if not settings.SANDBOX:
        raise Http404
    headers = {name: request.headers[name] for name in _REQUEST_HEADERS if name in request.headers}
    headers["Cookie"] = f"theme={site_context(request)['theme']}"
    world = Origin(f"http://127.0.0.1:{settings.SANDBOX_HTTP_PORT}", hands_back_redirects=True, max_bytes=_WORLD_BYTES)
    try:
        answer = world.send(request.method or "GET", request.get_full_path(), headers=headers, content=request.body)
    except OutboundError:
        return render(request, "sandbox_down.html", status=503)
    response = HttpResponse(answer.body, status=answer.status)
    for name in _RESPONSE_HEADERS:
        if name.lower() in answer.headers:
            response[name] = answer.headers[name.lower()]
    return response
