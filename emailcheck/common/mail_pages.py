"""Staff look at every mail as it goes out, with example values."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from emailcheck.common import mail

# Mail programs know no nonces: the styles are in the mail. Nothing in it runs, and nothing is fetched.
_INERT = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


@require_safe
def mails(request: HttpRequest) -> HttpResponse:
    """Every mail by name."""
    written = [(kind, mail.example(kind.name)) for kind in mail.kinds()]
    return _page(request, "admin/mails.html", title="Emails", mails=written)


@require_safe
def preview(request: HttpRequest, name: str) -> HttpResponse:
    """One mail: subject, HTML in a frame, text."""
    return _page(request, "admin/mail.html", title=f"E-mail {name}", name=name, mail=_example(name))


@require_safe
@xframe_options_sameorigin
def html(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part alone."""
    return HttpResponse(_example(name).html, headers={"Content-Security-Policy": _INERT})


urlpatterns = [
    path("", admin.site.admin_view(mails), name="mails"),
    path("<str:name>/", admin.site.admin_view(preview), name="mail"),
    path("<str:name>/html", admin.site.admin_view(html), name="mail_html"),
]


def _example(name: str) -> mail.Written:
    written = mail.example(name)
    if written is None:
        raise Http404("E-mail not found")
    return written


def _page(request: HttpRequest, template: str, **values: Any) -> HttpResponse:
    return render(request, template, admin.site.each_context(request) | values)
