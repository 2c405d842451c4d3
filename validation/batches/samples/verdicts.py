"""The verdicts of a sample: kept for its list for a while, then forgotten."""

from collections.abc import Iterable, Iterator
from datetime import timedelta

from django.utils import timezone

from accounts.organisations.models import Organisation
from validation.batches.intake.addresses import address_key
from validation.batches.samples.models import Sample
from validation.engine import Category, Verdict
from validation.results.fields import compress_json
from validation.results.packed_verdicts import pack_verdict, unpack_verdict

KEEP_FOR = timedelta(days=30)


def pack_sample(verdicts: Iterable[tuple[str, Verdict | None]]) -> bytes:
    """The drawn addresses, each with its verdict, as they are stored."""
    return compress_json([[address, verdict and pack_verdict(verdict)] for address, verdict in verdicts])


def find_sample(organisation: Organisation, content_hash: str) -> Sample | None:
    """The sample of a list whose verdicts can be taken over; None without one, and once these are forgotten."""
    since = timezone.now() - KEEP_FOR
    mine = Sample.objects.for_org(organisation).filter(content_hash=content_hash, ended_at__gt=since)
    return mine.exclude(verdicts=None).first() if content_hash else None


def list_decided(sample: Sample) -> frozenset[str]:
    """The keys of the addresses that have a verdict other than unknown."""
    return frozenset(key for key, verdict in _iterate_keys(sample) if verdict["category"] != Category.UNKNOWN)


def unpack_sample(sample: Sample) -> dict[str, Verdict]:
    """These verdicts by key."""
    decided = list_decided(sample)
    return {key: unpack_verdict(verdict) for key, verdict in _iterate_keys(sample) if key in decided}


def _iterate_keys(sample: Sample) -> Iterator[tuple[str, dict[str, object]]]:
    for address, verdict in sample.verdicts or ():
        if verdict is not None:
            yield address_key(address), verdict


def forget_old_verdicts() -> None:
    """Delete the verdicts of samples that no list can take over any more; the figures stay."""
    old = Sample.objects.filter(ended_at__lte=timezone.now() - KEEP_FOR)
    old.exclude(verdicts=None).update(verdicts=None)


def forget_verdicts(organisation: Organisation) -> None:
    """Delete all verdicts of an organisation's samples in its mode."""
    Sample.objects.for_org(organisation).exclude(ended_at=None).update(verdicts=None)
