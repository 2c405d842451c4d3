"""Rows that wait for a greylisting host: which ones, until when.

A greylisting host rejects an unknown sender for a while and accepts it later (RFC 6647). Such a row has no result yet.
It moves to a chunk of its own that nobody may claim before its time. So leases, fencing, counts and completion work as
for every other row, and waiting survives a restart.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import timezone

from validation.engine import FollowUp, Verdict

# The least wait before each probe, in seconds. The first also follows the host's own number.
_LEAST_WAIT_S = (0.0, 30.0, 120.0, 480.0)
# Hosts round the remaining time, up or down.
_MARGIN_S = 1.0


class GreylistedRow(NamedTuple):
    """A row to be probed again. `stood_s`: seconds in our own line since its first probe."""

    position: int
    address: str
    follow_up: FollowUp
    stood_s: float = 0.0

    @property
    def as_row(self) -> list[Any]:
        """The row of a chunk."""
        row = [self.position, self.address, asdict(self.follow_up)]
        return [*row, self.stood_s] if self.stood_s else row


def seconds_to_wait(follow_up: FollowUp) -> float:
    """Seconds to wait from now."""
    return max(follow_up.wait_s, _LEAST_WAIT_S[follow_up.tries - 1]) + _MARGIN_S


def should_wait(verdict: Verdict, *, stood_s: float = 0.0) -> bool:
    """Whether a row may be probed again, within `GREYLIST_SECONDS` of its first probe.

    `stood_s`: seconds in line for a limit of ours, which do not count.
    """
    follow_up = verdict.follow_up
    if follow_up is None or follow_up.tries > len(_LEAST_WAIT_S):
        return False
    waited_s = timezone.now().timestamp() - follow_up.first_at - stood_s
    return waited_s + seconds_to_wait(follow_up) <= settings.GREYLIST_SECONDS


def group_by_due_time(rows: Iterable[GreylistedRow]) -> list[tuple[datetime, list[GreylistedRow]]]:
    """The rows grouped by their next probe, with its time. None waits twice as long as it has to."""
    groups: dict[int, list[GreylistedRow]] = defaultdict(list)
    for row in rows:
        groups[math.ceil(math.log2(seconds_to_wait(row.follow_up)))].append(row)
    now = timezone.now()
    return [
        (now + timedelta(seconds=max(seconds_to_wait(row.follow_up) for row in group)), group)
        for _, group in sorted(groups.items())
    ]


def parse_follow_ups(rows: Iterable[list[Any]]) -> dict[int, FollowUp]:
    """The earlier probes of a chunk's rows, by index. Empty for an ordinary chunk."""
    return {index: FollowUp(**row[2]) for index, row in enumerate(rows) if len(row) > 2}


def seconds_in_line(row: list[Any]) -> float:
    """Seconds that a row has stood in line between its first probe and its present chunk."""
    return float(row[3]) if len(row) > 3 else 0.0
