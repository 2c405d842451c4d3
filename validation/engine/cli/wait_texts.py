"""The words for what a run waits for: limits of ours, and whose mail hosts they protect."""

from collections.abc import Iterable, Sequence

from validation.engine.limits.shared_limits import WaitReport
from validation.engine.vocabulary import WaitCause

_OTHERS = "other mail hosts"
_NAMED = 2  # operators named in the line that is written over
_SUBJECTS = {
    WaitCause.RATE: "{name}",
    WaitCause.SESSION: "sessions with {name}",
    WaitCause.EGRESS: "addresses that {name} takes",
    WaitCause.LOOKUP: "name servers",
}
_OPTIONS = {
    WaitCause.RATE: "--rate sets recipients a minute",
    WaitCause.SESSION: "--profiles sets sessions",
    WaitCause.EGRESS: "--route adds addresses",
    WaitCause.LOOKUP: "--dns-at-once sets look-ups",
}


def describe_rows(reports: Iterable[WaitReport]) -> str:
    """How many addresses wait now, and for what: "2,100 wait for Yahoo's limit"; "" where none does."""
    waiting = sorted((report for report in reports if report.rows), key=lambda report: -report.rows)
    parts = [f"{report.rows:,} {{}}for {_describe_limit(report)}" for report in waiting[:_NAMED]]
    rest = sum(report.rows for report in waiting[_NAMED:])
    if rest:
        parts.append(f"{rest:,} for others")
    return ", ".join(parts).replace("{}", "wait ", 1).replace("{}", "")


def describe_seconds(reports: Iterable[WaitReport]) -> str:
    """How long addresses waited, for what, and which options change that; "" where it was less than a second."""
    waited = sorted((report for report in reports if report.seconds >= 1), key=lambda report: -report.seconds)
    if not waited:
        return ""
    parts = ", ".join(f"{_describe_subject(report)} {describe_duration(report.seconds)}" for report in waited)
    options = "; ".join(_OPTIONS[cause] for cause in WaitCause if any(report.cause is cause for report in waited))
    return f"waited for limits of ours: {parts} ({options})"


def compute_longest_wait(reports: Sequence[WaitReport]) -> float:
    """Seconds until the last waiting address is asked about, as far as rates are known."""
    return max((report.rows / report.per_s for report in reports if report.per_s), default=0.0)


def describe_duration(seconds: float) -> str:
    """A duration in words, such as `90 s`, `5 min` or `2.0 h`."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6_000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _describe_limit(report: WaitReport) -> str:
    if report.cause is not WaitCause.RATE:
        return _describe_subject(report)
    return f"{report.title}'s limit" if report.title else f"limits at {_OTHERS}"


def _describe_subject(report: WaitReport) -> str:
    return _SUBJECTS[report.cause].format(name=report.title or _OTHERS)
