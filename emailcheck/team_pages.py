"""Pages about the organisation in which somebody works, and what others see of what belongs to it."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.access.calling import describe_refusal, find_membership
from accounts.access.pages import find_page_closure, find_page_user, page_membership, require_sign_in
from accounts.organisations.models import Membership, list_all_memberships
from accounts.organisations.roles import Right, may
from accounts.users.models import User
from emailcheck.common.errors import NotFound
from emailcheck.public.page_frame import build_sign_in_props

# What the question whether to switch calls what was asked for.
_NAMES = {"/dashboard/batch/": "list", "/dashboard/result/": "result"}


@require_safe
@require_sign_in
def team_page(request: HttpRequest, user: User) -> HttpResponse:
    """The organisation and who belongs to it; `?tab=` selects a tab."""
    return render_closure(request) or render(request, "team.html")


@require_safe
@never_cache
def invitation_page(request: HttpRequest) -> HttpResponse:
    """Where the link of an invitation leads, signed in or not."""
    user = find_page_user(request)
    context = {
        "token": request.GET.get("token", ""),
        "email": "" if user is None else user.email,
        "auth": build_sign_in_props("login"),
    }
    answer = render(request, "invitation.html", context)
    answer["Referrer-Policy"] = "no-referrer"
    return answer


@require_safe
@require_sign_in
def switch_page(request: HttpRequest, user: User) -> HttpResponse:
    """Asks whether to work in another own organisation, to which what was asked for belongs."""
    current = page_membership(request)
    other = find_membership(user, request.GET.get("to") or "-")
    if other is None:
        raise Http404
    wanted = request.GET.get("next", "")
    on = wanted if _is_own_path(wanted) else "/dashboard"
    if other.organisation == current.organisation:
        return redirect(on)
    what = next((name for prefix, name in _NAMES.items() if on.startswith(prefix)), "page")
    return render(request, "switch.html", {"other": other.organisation, "on": on, "what": what})


def _is_own_path(address: str) -> bool:
    return address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)


def render_refusal(request: HttpRequest, membership: Membership, *, tab: str = "") -> HttpResponse:
    """The card that says whom to ask, instead of a page that a role does not open."""
    return render(request, "refused.html", {"sentence": describe_refusal(membership), "tab": tab}, status=403)


def render_closure(request: HttpRequest) -> HttpResponse | None:
    """The card that says why the organisation is closed to the person now, and the way on, instead of a page of it."""
    closure = find_page_closure(request)
    return None if closure is None else render(request, "closed.html", status=403)


def render_owned(request: HttpRequest, template: str, load: Callable[[Membership], dict[str, Any]]) -> HttpResponse:
    """A page of what belongs to the organisation. What belongs to another own one leads to the question whether to
    switch; what the role may not read, to whom to ask. Raises `Http404` for everything else."""
    membership = page_membership(request)
    if (context := _load_readable(membership, load)) is not None:
        return render_closure(request) or render(request, template, context)
    for other in list_all_memberships(membership.user):
        if _load_readable(other, load) is not None:
            query = urlencode({"to": other.organisation.public_id, "next": request.get_full_path()})
            return redirect(f"/switch?{query}")
    if (closed := render_closure(request)) is not None:
        return closed
    if not may(membership.role, Right.READ):
        return render_refusal(request, membership)
    raise Http404


def _load_readable(membership: Membership, load: Callable[[Membership], dict[str, Any]]) -> dict[str, Any] | None:
    if not may(membership.role, Right.READ):
        return None
    try:
        return load(membership)
    except NotFound:
        return None
