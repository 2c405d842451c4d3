"""Previews of every mail for staff, with example values."""

from typing import Any

from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from emailcheck.common.outbound import mail

# Mail programs know no nonces: the styles are in the mail. Nothing in it runs, and nothing is fetched.
_INERT = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'"


@require_safe
def list_mails(request: HttpRequest) -> HttpResponse:
    """Every mail by name."""
    written = [(kind, mail.render_example(kind.name)) for kind in mail.list_kinds()]
    return _render_page(request, "admin/mails.html", title="Emails", mails=written)


@require_safe
def preview_mail(request: HttpRequest, name: str) -> HttpResponse:
    """One mail: subject, HTML in a frame, text."""
    return _render_page(request, "admin/mail.html", title=f"E-mail {name}", name=name, mail=_load_example(name))


@require_safe
@xframe_options_sameorigin
def preview_html(request: HttpRequest, name: str) -> HttpResponse:
    """The HTML part alone."""
    return HttpResponse(_load_example(name).html, headers={"Content-Security-Policy": _INERT})


urlpatterns = [
    path("", admin.site.admin_view(list_mails), name="mails"),
    path("<str:name>/", admin.site.admin_view(preview_mail), name="mail"),
    path("<str:name>/html", admin.site.admin_view(preview_html), name="mail_html"),
]


def _load_example(name: str) -> mail.RenderedMail:
    written = mail.render_example(name)
    if written is None:
        raise Http404("E-mail not found")
    return written


def _render_page(request: HttpRequest, template: str, **values: Any) -> HttpResponse:
    return render(request, template, admin.site.each_context(request) | values)
