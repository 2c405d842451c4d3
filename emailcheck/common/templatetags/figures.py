"""Counts and shares as people read them, in every template and every mail: filters that need no `load`."""

from django import template

from emailcheck.common.text import units

register = template.Library()


@register.filter
def grouped(count: int) -> str:
    """Such as `1,204`."""
    return f"{count:,}"


@register.filter
def share(part: int, total: int) -> str:
    """Such as `75.0%`."""
    return units.format_share(part, total)


@register.filter
def width(part: int, total: int) -> int:
    """How wide a part of a bar is, in whole percent; what is there at all stays visible, also on a phone."""
    return max(2, round(100 * part / total)) if part else 0
