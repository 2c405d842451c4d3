"""The pages of the newsletter: asking for it without a script, and where the links of its mails lead."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.access import limits
from crm.messages import newsletter
from emailcheck.common.errors import ProductError
from emailcheck.public.page_frame import render_public_page

_METHODS = ["GET", "HEAD", "POST"]
_DENIED = "This link is invalid or has expired"


@csrf_exempt  # it needs no sign-in; its token comes from the mailbox
@never_cache
@require_http_methods(_METHODS)
def subscribe_page(request: HttpRequest) -> HttpResponse:
    """The form as a page; sent, it does what the call does."""
    if request.method != "POST":
        return render_public_page(request, "public/newsletter.html")
    email = request.POST.get("email", "")
    done, status = _run_action(lambda: newsletter.subscribe(email=email), newsletter.CONFIRMATION_SENT)
    context = {"done": done} if status == 200 else {"newsletter_error": done, "newsletter_email": email}
    return render_public_page(request, "public/newsletter.html", context, status=status)


@csrf_exempt  # the token of the mail is the only credential
@never_cache
@require_http_methods(_METHODS)
def confirm_page(request: HttpRequest) -> HttpResponse:
    """Where the mail that confirms leads: a button agrees, opening the page changes nothing."""
    token = request.GET.get("token", "")
    words = {"title": "Confirm your subscription", "button": "Confirm", "text": "One press, and the newsletter comes."}
    return _link_page(request, words, lambda: newsletter.confirm_subscription(token=token), newsletter.CONFIRMED)


@csrf_exempt  # the token of the mail is the only credential
@never_cache
@require_http_methods(_METHODS)
def unsubscribe_page(request: HttpRequest) -> HttpResponse:
    """Where the last line of each newsletter leads: a button ends it."""
    token = request.GET.get("token", "")
    words = {
        "title": "Leave the newsletter",
        "button": "Unsubscribe",
        "text": "No further newsletter will be sent.",
        "leaving": "yes",
    }
    return _link_page(request, words, lambda: newsletter.unsubscribe(token=token), newsletter.ENDED)


def _link_page(request: HttpRequest, words: dict[str, str], act: Callable[[], None], message: str) -> HttpResponse:
    if not request.GET.get("token"):
        return render_public_page(request, "public/newsletter_link.html", words | {"failed": _DENIED}, status=400)
    if request.method != "POST":
        return render_public_page(request, "public/newsletter_link.html", words)
    done, status = _run_action(act, message)
    outcome = {"done": done} if status == 200 else {"failed": done}
    return render_public_page(request, "public/newsletter_link.html", words | outcome, status=status)


def _run_action(act: Callable[[], None], message: str) -> tuple[str, int]:
    """What became of it, and the status."""
    try:
        limits.count_guarded()
        act()
    except ProductError as error:
        return error.detail, error.status
    return message, 200
