"""Whether asking again later may decide a verdict, when, and by which route and sender."""

from dataclasses import dataclass

from validation.engine.probes.probe import Probe
from validation.engine.verdict.shared_verdict import SharedVerdict
from validation.engine.vocabulary import FollowUp, Reason

GREYLIST_WAIT_S = 300.0  # what Postgrey asks for when a host names no time


TEMPORARY_WAIT_S = 900.0


_RETRYABLE = {Reason.GREYLISTED: GREYLIST_WAIT_S, Reason.TEMPORARY: TEMPORARY_WAIT_S}


@dataclass(frozen=True, slots=True)
class RetryContext:
    """How an address is asked for again.

    `now` is the time of the verdict in epoch seconds. `probe_address` is the catch-all probe without a decided answer.
    `earlier` is the follow-up that the address came with.
    """

    now: float
    probe_address: str
    earlier: FollowUp | None


def describe_follow_up(probe: Probe | None, again: RetryContext | None) -> str:
    """A text on the second attempt; "" where there was none."""
    if again is None or again.earlier is None or probe is None:
        return ""
    same = probe.session is not None and probe.session.route == again.earlier.route
    where = "the same address" if same else "another address"
    return f"asked again after {again.now - again.earlier.first_at:.0f} s from {where}"


def build_follow_up(shared: SharedVerdict, again: RetryContext) -> FollowUp | None:
    """How to ask again, where the host said that waiting helps: by greylisting, or by naming a time."""
    probe, wait_s = shared.probe, shared.retry_after
    if probe is not None and probe.wait is not None:
        return again.earlier
    if probe is None or wait_s is None:
        return None
    if shared.reason is not Reason.GREYLISTED and probe.reading.retry_after is None:
        return None
    session, earlier = probe.session, again.earlier
    return FollowUp(
        route=session.route if session else "",
        sender=session.sender if session else "",
        decoy=again.probe_address,
        first_at=earlier.first_at if earlier else again.now,
        tries=earlier.tries + 1 if earlier else 1,
        wait_s=wait_s,
    )


def can_be_retried(probe: Probe | None) -> bool:
    """Whether asking again later may decide."""
    return probe is not None and probe.reading.reason in _RETRYABLE


def compute_retry_wait(reason: Reason, probe: Probe | None) -> float | None:
    if probe is not None and probe.wait is not None:
        return probe.wait.seconds
    if probe is None or reason not in _RETRYABLE:
        return None
    return probe.reading.retry_after or _RETRYABLE[reason]
