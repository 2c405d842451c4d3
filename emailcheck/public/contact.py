"""The contact page: a form that works with and without scripts, and the other ways to reach support."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.access import limits
from crm.claims import services as claims
from crm.messages import contact as messages
from crm.messages.serializers import WrittenMessageSerializer
from emailcheck.common.errors import ProductError
from emailcheck.public.page_frame import render_public_page

FIELDS = ("name", "email", "subject", "message", "website")


# The form needs no sign-in: another site could send no more than any visitor.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def contact_page(request: HttpRequest) -> HttpResponse:
    """The form; `?subject=` fills in the subject."""
    if request.method == "POST":
        return _send_message(request)
    return _render_form(request, {"subject": request.GET.get("subject", "")[:200]})


def _send_message(request: HttpRequest) -> HttpResponse:
    """Send what was written without scripts; what is refused comes back with the reason beside it."""
    written = {name: request.POST.get(name, "") for name in FIELDS}
    form = WrittenMessageSerializer(data=written)
    try:
        limits.count_message()
        if not form.is_valid():
            return _render_form(
                request, written, status=400, errors={name: faults[0] for name, faults in form.errors.items()}
            )
        messages.receive_message(**form.validated_data)
    except ProductError as error:
        answer = _render_form(request, written, status=error.status, failure=messages.FAILED)
        for name, value in error.headers.items():
            answer[name] = value
        return answer
    return _render_form(request, {}, sent=messages.SENT)


def _render_form(request: HttpRequest, written: dict[str, str], *, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "written": written,
        "claims": claims.list_public_values(),
        "failed": messages.FAILED,
        "sent_text": messages.SENT,
    }
    return render_public_page(request, "public/contact.html", context | more, status=status)
