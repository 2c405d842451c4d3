"""The analytics' groups of the six categories: four over a range, three a day, each result once (ADM-129)."""

from collections.abc import Mapping

Counts = Mapping[str, int]


def bucket_range(counts: Counts) -> dict[str, int]:
    """Valid, invalid, risky and disposable; `counts` are those of a tally."""
    return {
        "valid": counts["valid_count"],
        "invalid": counts["invalid_count"] + counts["spam_trap_count"],
        "risky": counts["unknown_count"] + counts["catch_all_count"],
        "disposable": counts["disposable_count"],
    }


def bucket_day(counts: Counts) -> dict[str, int]:
    """Valid, invalid and unknown; `counts` are those of a tally."""
    return {
        "valid": counts["valid_count"],
        "invalid": counts["invalid_count"] + counts["spam_trap_count"] + counts["disposable_count"],
        "unknown": counts["unknown_count"] + counts["catch_all_count"],
    }


def success_rate(counts: Counts) -> float:
    """Valid results over all in percent, one decimal; 0 without any (DASH-022)."""
    return round(100 * counts["valid_count"] / counts["processed"], 1) if counts["processed"] else 0.0


def accuracy(counts: Counts) -> float | None:
    """Conclusive results over all in percent, one decimal; none without any (ADM-126)."""
    if not counts["processed"]:
        return None
    return round(100 * (1 - counts["unknown_count"] / counts["processed"]), 1)
