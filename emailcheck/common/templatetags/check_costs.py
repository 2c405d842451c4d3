"""What checks cost, in every text of the site and every mail: tags that need no `load`."""

from django import template

from emailcheck.common.text import check_costs

register = template.Library()


@register.simple_tag
def unknown_costs() -> str:
    """What is free and what is not, in one sentence."""
    return check_costs.UNKNOWN_COSTS


@register.simple_tag
def basic_costs() -> str:
    """What an account reads that is going on with basic checks."""
    return check_costs.BASIC
