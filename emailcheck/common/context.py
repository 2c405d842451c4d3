"""What every page knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

THEMES = ("light", "dark")


def site(request: HttpRequest) -> dict[str, Any]:
    """Site name, whether this is the sandbox, and the theme chosen (empty: the system's)."""
    theme = request.COOKIES.get("theme", "")
    return {
        "site_name": settings.SITE_NAME,
        "sandbox": settings.SANDBOX,
        "theme": theme if theme in THEMES else "",
        "support_email": settings.SUPPORT_EMAIL,
    }
