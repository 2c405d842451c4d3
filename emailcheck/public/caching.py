"""How long a browser may keep a public page: one rule for all of them.

A page carries the nonce of its content security policy, which is worth something only while it belongs to one visitor:
no shared cache may keep it (RFC 9111 section 5.2.2.7). A visitor's browser keeps it for a minute, and then asks again
by its ETag. A page for somebody who has signed in may be his own: his browser asks every time. Cookies (sign-in,
theme) change what a page says, so each of their values has a copy of its own.

The ETag leaves out the nonce, which is another one in every answer. An answer "not modified" carries no policy: the
browser goes on with the page that it has, whose nonce is that of the policy it came with.
"""

from hashlib import blake2b

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers

CACHE_S = 60


def cache_publicly(request: HttpRequest, page: HttpResponse, *, seconds: int = CACHE_S) -> HttpResponse:
    """The page with caching headers, or "not modified" for a browser that has it; a visitor's browser may
    keep it for `seconds`.

    Answers to forms, and missing pages, are never cached.
    """
    if request.method not in ("GET", "HEAD") or page.status_code != 200:
        patch_cache_control(page, no_store=True)
        return page
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        patch_cache_control(page, private=True, no_cache=True)
    else:
        patch_cache_control(page, private=True, max_age=seconds)
    patch_vary_headers(page, ("Cookie", "Accept-Encoding"))
    nonce = str(getattr(request, "csp_nonce", "")).encode()
    etag = f'W/"{blake2b(page.content.replace(nonce, b""), digest_size=16).hexdigest()}"'
    page["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=page)
    return _NotModified(headers=dict(answer.items())) if isinstance(answer, HttpResponseNotModified) else page


class _NotModified(HttpResponseNotModified):
    """What the browser has is what there is."""

    _csp_exempt = True  # the signal for the policy's middleware
