"""Unknown addresses, and the pages of errors."""

import sys
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotFound, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import URLPattern, get_resolver, resolve
from django.views.decorators.csrf import csrf_exempt

from emailcheck.common import request_context
from emailcheck.common.api import error_responses
from emailcheck.common.errors import NotFound, ProductError
from emailcheck.common.storage import faults
from emailcheck.common.web.context import THEMES
from emailcheck.common.web.smtp_replies import quote_reply
from emailcheck.public.page_frame import render_public_page

_FILES = ("/static/", "/media/")


@csrf_exempt
def unknown_address(request: HttpRequest, path: str) -> HttpResponseBase:
    """Any address without a page.

    A surplus or missing slash is corrected. Requests for files, writes, and addresses below an existing one are
    not found; all others are redirected to the homepage.
    """
    if request.method not in ("GET", "HEAD") or _is_file(request):
        raise Http404
    bare = path.rstrip("/")
    for meant in (f"/{bare}", f"/{bare}/"):
        if meant != request.path and resolve(meant).func is not unknown_address:
            return redirect(meant, permanent=True)
    if bare.split("/")[0] in _known_first_parts():
        raise Http404
    return redirect("landing")


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 404 page; a line of text for a file, the one error body for a call."""
    if _is_call(request):
        return error_responses.build_json_error(NotFound("Not found."))
    if _is_file(request):
        return HttpResponseNotFound("Not found\n", content_type="text/plain; charset=utf-8")
    context = {
        "title": "There is no such page",
        "text": "The address may have been mistyped, or what it showed belongs to somebody else or is gone.",
        "reply": quote_reply(404, request.path),
        "status": 404,
    }
    return render_public_page(request, "public/error.html", context, status=404)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The 403 page."""
    context = {
        "title": "You may not see this page",
        "text": f"Your account has no access to it. If you think it should, write to {settings.SUPPORT_EMAIL}.",
        "reply": quote_reply(403, request.path),
        "status": 403,
    }
    return render_public_page(request, "public/error.html", context, status=403)


def csrf_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without the secret of its page: of another site, or from a browser that keeps no cookies."""
    text = "Nothing was done. Reload the page that it is on and send it again; it works only where cookies are kept."
    return _plain_page(request, 403, "This form could not be sent", text)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """What cannot be read, or names a host that is not ours."""
    if _is_call(request):
        return JsonResponse(
            error_responses.build_error_body("The request could not be read.", "VALIDATION_ERROR"), status=400
        )
    return _plain_page(
        request, 400, "This request could not be read", "Its address or something sent with it is damaged."
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """The 500 page, with a reference and no detail; for a call the one error body. Where disk or database refuse, the
    507 or 503 page that says so."""
    refusal = faults.find_refusal(sys.exc_info()[1])
    if refusal is not None:
        return _storage_page(request, refusal)
    if _is_call(request):
        detail = "Something went wrong on our side. Please try again."
        return JsonResponse(error_responses.build_error_body(detail, "INTERNAL_ERROR"), status=500)
    text = "The page could not be made. It has been noted, and trying again may help."
    return _plain_page(request, 500, "Something went wrong", text)


def _storage_page(request: HttpRequest, refusal: ProductError) -> HttpResponse:
    if _is_call(request):
        return error_responses.build_json_error(refusal)
    title = "There is no room left" if refusal.status == 507 else "The database does not answer"
    page = _plain_page(request, refusal.status, title, refusal.detail)
    for name, value in refusal.headers.items():
        page[name] = value
    return page


def _plain_page(request: HttpRequest, status: int, title: str, text: str) -> HttpResponse:
    """A page without database, session and bundle: any of them may have failed."""
    theme = request.COOKIES.get("theme", "")
    context = {
        "title": title,
        "text": text,
        "reply": quote_reply(status),
        "status": status,
        "nonce": getattr(request, "csp_nonce", ""),
        "theme": theme if theme in THEMES else "",
        "request_id": request_context.current_request_id(),
        "site_name": settings.SITE_NAME,
        "support_email": settings.SUPPORT_EMAIL,
    }
    return HttpResponse(render_to_string("plain_error.html", context), status=status)


def _is_call(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _is_file(request: HttpRequest) -> bool:
    return request.path.startswith(_FILES) or "." in request.path.rsplit("/", 1)[-1]


@lru_cache(maxsize=1)
def _known_first_parts() -> frozenset[str]:
    """The first parts of all addresses that exist: `blog` of `blog/<slug>`."""
    routes = (str(found.pattern) for found in get_resolver().url_patterns if isinstance(found, URLPattern))
    return frozenset(route.split("/")[0] for route in routes if route[:1].isalpha())
