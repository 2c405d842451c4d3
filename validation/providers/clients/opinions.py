"""Shared by the clients: building opinions, and bulk jobs."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from validation.engine import Flag
from validation.providers.clients.answer_fields import Members, redact_answer
from validation.providers.clients.base import (
    MOST_IN_JOB,
    BadAnswer,
    Meaning,
    Opinion,
    OutOfCredit,
    Phase,
    Progress,
    ProviderError,
    Refused,
    StillRunning,
)

_ASK_AGAIN_S = {Phase.WAITING: 30.0, Phase.RUNNING: 30.0, Phase.REVIEW: 3_600.0}
_LONGEST_NAME = 100

_Row = TypeVar("_Row")


def build_opinion(
    meaning: Meaning,
    answer: Members,
    *,
    provider: str,
    address: str,
    key: str,
    words: tuple[str, str],
    flags: Iterable[Flag] = (),
    is_catch_all: bool | None = None,
    advises_against: bool = False,
    did_you_mean: str | None = None,
    charged: bool | None = None,
    took: float = 0.0,
) -> Opinion:
    """An opinion with the meaning of a provider's `words`, and its other fields."""
    return Opinion(
        provider=provider,
        address=address,
        category=meaning.category,
        reason=meaning.reason,
        status=words[0],
        sub_status=words[1],
        flags=meaning.flags.union(flags),
        is_catch_all=is_catch_all if meaning.is_catch_all is None else meaning.is_catch_all,
        is_spam_trap=meaning.is_spam_trap,
        advises_against=meaning.advises_against or advises_against,
        did_you_mean=did_you_mean if did_you_mean != address else None,
        charged=charged,
        raw=redact_answer(answer, key=key),
        took=took,
    )


def collect_opinions(found: Iterable[_Row], make: Callable[[_Row], Opinion]) -> list[Opinion]:
    """The opinions of a job; unreadable rows are skipped. Raises `BadAnswer` when none of many is readable."""
    made, lost = [], 0
    for row in found:
        try:
            made.append(make(row))
        except ProviderError:
            lost += 1
    if lost and not made:
        raise BadAnswer(f"none of {lost} rows can be read")
    return made


def find_job_error(progress: Progress) -> ProviderError | None:
    """The error of a job without results, None for a finished one."""
    if progress.phase is Phase.FAILED:
        kind = OutOfCredit if "insufficient credit" in progress.note.lower() else Refused
        return kind(f"the job failed: {progress.note}")
    if progress.phase is Phase.DONE:
        return None
    return StillRunning(f"{progress.phase}, {progress.percent:.0f} %", again_after=_ASK_AGAIN_S[progress.phase])


def check_job_size(addresses: Sequence[str]) -> None:
    """Raises `ValueError` for no addresses, and for more than a job takes."""
    if not 0 < len(addresses) <= MOST_IN_JOB:
        raise ValueError(f"a job takes 1 to {MOST_IN_JOB} addresses")


def build_file_name(label: str) -> str:
    """A file name that is safe in a header."""
    plain = "".join(letter for letter in label if letter.isascii() and (letter.isalnum() or letter in "-_. "))
    return f"{plain.strip()[:_LONGEST_NAME] or 'list'}.csv"
