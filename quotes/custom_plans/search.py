"""The staff's list of custom plans."""

from quotes.custom_plans.models import CustomPlan
from quotes.listing import Page, build_newest_page, match_text


def search_custom_plans(*, search: str = "", active: bool | None = None, cursor: str = "") -> Page[CustomPlan]:
    """Plans that staff made, newest first, by name, description or customer. Raises `BadInput` for a foreign cursor."""
    found = CustomPlan.objects.all()
    if active is not None:
        found = found.filter(is_active=active)
    if search.strip():
        found = found.filter(match_text(search.strip(), ("name", "description", "target_customer")))
    return build_newest_page(found, cursor)
