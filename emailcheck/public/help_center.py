"""The help center: questions with answers, and guides, in Markdown files below `templates/help`, one a category."""

from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS, REFERRAL_BONUS, REFERRAL_REWARD, TRIAL_CREDITS, TRIAL_DAYS
from emailcheck.common.text.markdown import Section, render_sections
from emailcheck.public.page_frame import render_public_page

CATEGORIES = {
    "getting-started": "Getting started",
    "features": "Features",
    "api-docs": "API",
    "billing": "Billing",
    "troubleshooting": "Troubleshooting",
}
# What the settings answer at once, by anchor.
_QUICK = ("cost", "how-many", "unknown", "catch-all", "files", "first-call")
_RATED = (Plan.FREE, Plan.STARTER, Plan.GROWTH, Plan.PRO, Plan.ENTERPRISE)


@dataclass(frozen=True, slots=True)
class HelpCategory:
    """The entries of a category, in their order."""

    category: str
    name: str
    entries: list[Section]


@require_safe
def help_page(request: HttpRequest) -> HttpResponse:
    """All answers; searching and choosing a category happens in the browser."""
    return render_public_page(
        request, "public/help.html", {"groups": load_groups(), "entries": sum(map(_count_entries, load_groups()))}
    )


@cache
def load_groups() -> tuple[HelpCategory, ...]:
    """Every category with its entries. A question ends with a question mark, everything else is a guide."""
    return tuple(
        HelpCategory(category, name, render_sections(f"help/{category}.md", _template_values()))
        for category, name in CATEGORIES.items()
    )


def list_quick_answers() -> list[Section]:
    """The most frequent questions."""
    known = {entry.anchor: entry for group in load_groups() for entry in group.entries}
    return [known[anchor] for anchor in _QUICK]


def list_rate_limits() -> list[tuple[str, str]]:
    """Requests with API keys a minute, by the name of the plan (PUB-064)."""
    limits = ((plan, OFFERS[plan].per_minute) for plan in _RATED)
    return [(plan.value.capitalize(), "unlimited" if limit is None else str(limit)) for plan, limit in limits]


def _template_values() -> dict[str, object]:
    return {
        "rate_limits": list_rate_limits(),
        "free_credits": OFFERS[Plan.FREE].limit,
        "trial_days": TRIAL_DAYS,
        "trial_credits": TRIAL_CREDITS,
        "referral_bonus": REFERRAL_BONUS,
        "referral_reward": REFERRAL_REWARD,
    }


def _count_entries(group: HelpCategory) -> int:
    return len(group.entries)
