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
NAV_GROUPS = (
    ("Check", DASHBOARD_TABS[:3]),
    ("Plan and use", DASHBOARD_TABS[3:5]),
    ("More credits", DASHBOARD_TABS[5:]),
)
# The tabs that a thumb reaches on phones; the menu beside them has the others.
PHONE_TABS = (("validate", "Validate"), ("history", "History"), ("analytics", "Analytics"))


def site_context(request: HttpRequest) -> dict[str, Any]:
    """Site name, whether this is the sandbox, the theme (empty: the system's), the account that staff view, and whose
    page this is (nobody's: one for everybody)."""
    theme = request.COOKIES.get("theme", "")
    return {
        "site_name": settings.SITE_NAME,
        "sandbox": settings.SANDBOX,
        "theme": theme if theme in THEMES else "",
        "nav_page": "/dashboard",
        "nav_groups": NAV_GROUPS,
        "phone_tabs": PHONE_TABS,
        "support_email": settings.SUPPORT_EMAIL,
        "viewing": getattr(request, "viewing", None),
        "person": getattr(request, "person", None),
    }
