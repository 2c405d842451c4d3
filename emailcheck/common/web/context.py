"""What every page knows."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

THEMES = ("light", "dark")
DASHBOARD_TABS = (
    ("validate", "Validate"),
    ("history", "History"),
    ("campaigns", "Campaigns"),
    ("pricing", "Upgrade"),
    ("analytics", "Analytics"),
    ("referrals", "Refer Friends"),
    ("custom-packages", "Custom packages"),
)


def site_context(request: HttpRequest) -> dict[str, Any]:
    """Site name, whether this is the sandbox, the theme (empty: the system's), and the account that staff view."""
    theme = request.COOKIES.get("theme", "")
    return {
        "site_name": settings.SITE_NAME,
        "sandbox": settings.SANDBOX,
        "theme": theme if theme in THEMES else "",
        "dashboard_tabs": DASHBOARD_TABS,
        "support_email": settings.SUPPORT_EMAIL,
        "viewing": getattr(request, "viewing", None),
    }
