"""The sample of a list as the API returns it: whether there can be one, and its figures. Never its verdicts."""

from typing import Any

from accounts.organisations.models import Organisation
from billing.subscriptions import welcome_credits
from billing.subscriptions.welcome_credits import Checks
from validation.batches.samples import services
from validation.batches.samples.estimates import Share, estimate_list
from validation.batches.samples.models import Sample
from validation.results.models import Category

Json = dict[str, Any]


def present_sample(organisation: Organisation, *, possible: int, content_hash: str) -> Json:
    """The sample of a list with so many addresses that can cost a credit."""
    reason = services.find_reason(organisation, possible=possible, content_hash=content_hash)
    mine = Sample.objects.for_org(organisation).filter(content_hash=content_hash)
    sample = mine.defer("verdicts").select_related("organisation").first()
    return {
        "offered": not reason,
        "reason": reason,
        "running": sample is not None and sample.ended_at is None,
        "result": _present_result(sample, sample.counts, _count_left(sample, possible))
        if sample and sample.counts
        else None,
    }


def _count_left(sample: Sample, possible: int) -> int:
    """The addresses that a start would charge: those with a verdict of the sample are free where full checks run."""
    if welcome_credits.choose_checks(sample.organisation, cost=possible) != Checks.FULL:
        return possible
    unknown: int = (sample.counts or {}).get("unknown", 0)
    return possible - sample.size + unknown


def _present_result(sample: Sample, counted: dict[str, int], left: int) -> Json | None:
    estimate = estimate_list(counted)
    if estimate is None:
        return None
    return {
        "size": sample.size,
        "counts": {f"{category}_count": counted.get(category, 0) for category in Category.values},
        "cost": {name: round(share * left) for name, share in _name(estimate.cost).items()},
        "bounce_rate": estimate.bounce_rate and _name(estimate.bounce_rate),
        "unknown_share": _name(estimate.unknown),
        "ended_at": sample.ended_at,
    }


def _name(share: Share) -> dict[str, float]:
    return {"estimate": share.value, "low": share.low, "high": share.high}
