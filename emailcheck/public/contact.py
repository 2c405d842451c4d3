"""The contact page: a form that works with and without scripts, and the other ways to reach support."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts import limits
from crm import claims, messages
from crm.serializers import WrittenMessageSerializer
from emailcheck.common.errors import ProductError
from emailcheck.public.page import public_page

FIELDS = ("name", "email", "subject", "message", "website")


# Nobody's sign-in acts here: a strange page could send no more than anybody can.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def contact(request: HttpRequest) -> HttpResponse:
    """The form; `?subject=` fills in the subject."""
    if request.method == "POST":
        return _send(request)
    return _page(request, {"subject": request.GET.get("subject", "")[:200]})


def _send(request: HttpRequest) -> HttpResponse:
    """Send what was written without scripts; what is refused comes back with the reason beside it."""
    written = {name: request.POST.get(name, "") for name in FIELDS}
    form = WrittenMessageSerializer(data=written)
    try:
        limits.count_message()
        if not form.is_valid():
            return _page(request, written, status=400, errors={name: told[0] for name, told in form.errors.items()})
        messages.write(**form.validated_data)
    except ProductError as error:
        answer = _page(request, written, status=error.status, failure=messages.FAILED)
        for name, value in error.headers.items():
            answer[name] = value
        return answer
    return _page(request, {}, sent=messages.SENT)


def _page(request: HttpRequest, written: dict[str, str], *, status: int = 200, **told: Any) -> HttpResponse:
    context = {
        "written": written,
        "claims": claims.public(),
        "failed": messages.FAILED,
        "sent_text": messages.SENT,
    }
    return public_page(request, "public/contact.html", context | told, status=status)
