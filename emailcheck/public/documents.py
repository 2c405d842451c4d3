"""Pages that are mostly text."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from emailcheck.common.markdown import sections
from emailcheck.public.page import public_page


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, for how long, and who receives it."""
    return public_page(request, "public/text_page.html", {"title": "Privacy", "parts": sections("pages/privacy.md")})
