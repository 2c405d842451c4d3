"""Pages that compose several apps, and the way into the sandbox."""

import httpx2
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views import defaults
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.permissions import signed_in
from emailcheck.common import request_id
from emailcheck.common.api import error_body
from emailcheck.common.context import DASHBOARD_TABS, site
from emailcheck.common.demo import DEMO_LOGINS
from emailcheck.common.errors import NotFound
from validation import lookups

# Tabs of the dashboard by key, and those whose content is an island of that name.
TABS = dict(DASHBOARD_TABS)
TAB_ISLANDS = ("validate", "history", "analytics")
_ASKED_WITH = ("Accept", "Content-Type", "Sec-Fetch-Site")
_PASSED_ON = ("Content-Type", "Content-Security-Policy", "X-Frame-Options", "Location", "Cache-Control")


@require_safe
def landing(request: HttpRequest) -> HttpResponse:
    """The public page, with the way to sign in."""
    context = {
        "ended": "ended" in request.GET,
        "opening": "load" if request.GET.get("login") == "true" else "press",
        "demo_logins": DEMO_LOGINS if settings.SANDBOX else (),
    }
    return render(request, "landing.html", context)


@require_safe
@signed_in
def dashboard(request: HttpRequest, user: User) -> HttpResponse:
    """The customer's dashboard; `?tab=` selects a tab."""
    tab = request.GET.get("tab", "validate")
    if tab not in TABS:
        return redirect("dashboard")
    context = {"tab": tab, "tab_name": TABS[tab], "tab_island": tab if tab in TAB_ISLANDS else ""}
    return render(request, "dashboard.html", context)


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


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST", "DELETE"])
def sandbox(request: HttpRequest) -> HttpResponse:
    """Hand a request on to the simulated outside world; absent in live mode."""
    if not settings.SANDBOX:
        raise Http404
    headers = {name: request.headers[name] for name in _ASKED_WITH if name in request.headers}
    headers["Cookie"] = f"theme={site(request)['theme']}"
    address = f"http://127.0.0.1:{settings.SANDBOX_HTTP_PORT}{request.get_full_path()}"
    try:
        answer = httpx2.request(
            request.method or "GET", address, content=request.body, headers=headers, timeout=10, trust_env=False
        )
    except httpx2.TransportError:
        return render(request, "sandbox_down.html", status=503)
    response = HttpResponse(answer.content, status=answer.status_code)
    for name in _PASSED_ON:
        if name in answer.headers:
            response[name] = answer.headers[name]
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What cannot be read, or names a host that is not ours."""
    if _is_call(request):
        return JsonResponse(error_body("The request could not be read.", "VALIDATION_ERROR"), status=400)
    return defaults.bad_request(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """The 500 page, with a reference and no detail; for a call the one error body."""
    if _is_call(request):
        detail = "Something went wrong on our side. Please try again."
        return JsonResponse(error_body(detail, "INTERNAL_ERROR"), status=500)
    return render(request, "500.html", {"request_id": request_id.current()}, status=500)


def _is_call(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")
