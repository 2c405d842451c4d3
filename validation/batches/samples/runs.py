"""The samples that a worker has under check, beside its lists.

A sample is short, so it is claimed whatever the worker's lists are, and ends after `SECONDS`: what is undecided then
counts as unknown. A worker that dies leaves it to another, from the beginning.
"""

import logging
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.utils import timezone

from emailcheck.common.storage.patience import wait_for_storage
from validation.batches.samples.models import Sample
from validation.batches.samples.verdicts import pack_sample
from validation.engine import Category, Verdict
from validation.engine.limits.shared_limits import Lane
from validation.testmode import verdicts
from validation.verifier.checker import Run, checker

log = logging.getLogger(__name__)
SECONDS = 45.0
"""Of a minute, the rest is for a worker to begin and to write."""
AT_ONCE = 2
MAX_ATTEMPTS = 3
POLL_EVERY_S = 2.0
_RENEW_EVERY_S = 5.0


@dataclass(slots=True)
class OpenSample:
    """A claimed sample under check."""

    sample: Sample
    addresses: list[str]
    run: Run
    made: dict[int, Verdict] = field(default_factory=dict)
    until: float = field(default_factory=lambda: time.monotonic() + SECONDS)
    renew_at: float = field(default_factory=lambda: time.monotonic() + _RENEW_EVERY_S)

    @property
    def is_over(self) -> bool:
        return self.run.ended or time.monotonic() >= self.until


class SampleRuns:
    """The samples of one worker's turn."""

    def __init__(self) -> None:
        self._open: list[OpenSample] = []
        self._next_at = 0.0

    @property
    def are_busy(self) -> bool:
        return bool(self._open)

    def claim_due(self) -> None:
        """Claim samples that nobody works on, every two seconds."""
        if time.monotonic() < self._next_at or len(self._open) >= AT_ONCE:
            return
        self._next_at = time.monotonic() + POLL_EVERY_S
        waiting = Sample.objects.under_way().order_by("pk")
        for sample in waiting.claim(AT_ONCE - len(self._open), lasts=_lease_time()):
            self._begin(sample)

    def _begin(self, sample: Sample) -> None:
        addresses = [address for address, _ in sample.verdicts]
        if sample.attempts > MAX_ATTEMPTS:
            _end_sample(sample, addresses, {})
            return
        self._open.append(OpenSample(sample, addresses, _start_run(sample, addresses)))

    def advance(self) -> None:
        """Collect what has arrived, and end the samples that are over."""
        for item in list(self._open):
            item.made.update(item.run.pop_arrived())
            if item.is_over:
                item.run.stop()
                item.made.update(item.run.pop_arrived())
                _end_sample(item.sample, item.addresses, item.made)
                self._open.remove(item)
            elif time.monotonic() >= item.renew_at:
                item.renew_at += _RENEW_EVERY_S
                wait_for_storage(partial(_renew, item), seconds=settings.LEASE_SECONDS)

    def stop(self) -> None:
        """Give back what is not over."""
        for item in self._open:
            item.run.stop()
            Sample.objects.release(item.sample)
        self._open = []


def has_waiting() -> bool:
    """Whether there is a sample that nobody works on."""
    return Sample.objects.under_way().free().exists()


def _start_run(sample: Sample, addresses: list[str]) -> Run:
    if sample.test:
        return verdicts.start_run(addresses)
    asked = checker()
    asked.load_known_domains(addresses)
    return asked.start(addresses, deadline_s=SECONDS, lane=Lane.SHORT)


def _renew(item: OpenSample) -> None:
    Sample.objects.renew(item.sample, lasts=_lease_time())


def _end_sample(sample: Sample, addresses: list[str], made: dict[int, Verdict]) -> None:
    """Write the counts and the verdicts, once. Another worker may have done so."""
    categories = Counter(verdict.category.value for verdict in made.values())
    categories[Category.UNKNOWN.value] += len(addresses) - len(made)
    packed = pack_sample((address, made.get(index)) for index, address in enumerate(addresses))
    outcome = {"counts": dict(categories), "verdicts": packed, "ended_at": timezone.now()}
    if not wait_for_storage(lambda: Sample.objects.complete(sample, **outcome), seconds=settings.LEASE_SECONDS):
        log.info("sample %s went to another worker", sample.pk)


def _lease_time() -> timedelta:
    return timedelta(seconds=settings.LEASE_SECONDS)
