"""The three recommendations as the calls name them, and which stored results have each (VAL-067, VAL-068)."""

from dataclasses import dataclass

from django.db.models import Q

from validation.results.models import Category
from validation.results.storage import DO_NOT_SEND

_UNDECIDED = (Category.CATCH_ALL.value, Category.UNKNOWN.value)
_NEVER = tuple(category for category in Category.values if category in DO_NOT_SEND)


@dataclass(frozen=True, slots=True)
class Decision:
    """A recommendation. `categories`: the only ones that can have it. `counts`: which counts of a list add up to it."""

    categories: tuple[str, ...]
    condition: Q
    counts: tuple[str, ...]


DECISIONS = {
    "safe": Decision((Category.VALID.value, *_UNDECIDED), Q(safe_to_send=True), ("safe_to_send_count",)),
    "risky": Decision(_UNDECIDED, Q(safe_to_send=False, category__in=_UNDECIDED), ("risky_count",)),
    "do_not_send": Decision(_NEVER, Q(category__in=_NEVER), tuple(f"{category}_count" for category in _NEVER)),
}
