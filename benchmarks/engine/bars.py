"""The demands on the engine, and what a run says of them."""

from dataclasses import dataclass, field

from benchmarks.engine.million import LongRun
from benchmarks.engine.scenes import Scene
from benchmarks.engine.syntax_speed import SyntaxSpeed
from benchmarks.figures import Figure
from benchmarks.replies import Score as ReplyScore

_TIMES_PEER = 3
_CONNECTIONS = 0.12
_DNS_QUERIES = 0.35
_AT_ONE_HOST = 10
_CLEAN_SHARE = 0.999
_HOSTILE_SHARE = 0.97
_MILLION_MB = 300
_SYNTAX_RATE = 300_000
_RECALL = 0.95
_FALSE_INVALID = 0.01
BUDGET_S = 61.0  # the time for one address, and a second for the machine


@dataclass(slots=True)
class Findings:
    """What the parts of a run found; parts that were left out are empty."""

    clean: list[Scene] = field(default_factory=list)
    hostile: Scene | None = None
    million: LongRun | None = None
    syntax: SyntaxSpeed | None = None
    replies: ReplyScore | None = None


def of(found: Findings) -> list[Figure]:
    """Every bar that the run can speak of."""
    bars = [bar for scene in found.clean for bar in _of_clean(scene)]
    if found.hostile is not None:
        bars += _of_hostile(found.hostile)
    if found.million is not None:
        bars += _of_million(found.million)
    if found.syntax is not None:
        bars += _of_syntax(found.syntax)
    if found.replies is not None:
        bars.append(_of_replies(found.replies))
    return bars


def _of_clean(scene: Scene) -> list[Figure]:
    ours, peer = scene.ours(), scene.best_peer()
    run, total = ours.measured, ours.score.total
    connections, queries = run.seen.connections / total, run.seen.dns_queries / total
    bars = [
        Figure(
            f"exact verdicts, {scene.title}",
            "at least 99.9 %",
            f"{ours.score.share:.3%}",
            ours.score.share >= _CLEAN_SHARE,
        ),
        Figure(f"false invalids, {scene.title}", "0", f"{ours.score.false_invalid}", not ours.score.false_invalid),
        Figure(
            f"connections open to one host, {scene.title}",
            f"at most {_AT_ONE_HOST}",
            f"{run.seen.most_open}",
            run.seen.most_open <= _AT_ONE_HOST,
        ),
        Figure(
            f"connections and DNS queries an address, {scene.title}",
            f"at most {_CONNECTIONS} and {_DNS_QUERIES}",
            f"{connections:.3f} and {queries:.3f}",
            connections <= _CONNECTIONS and queries <= _DNS_QUERIES,
        ),
    ]
    if peer is not None and scene.is_race:
        ratio = run.rate / peer.measured.rate
        work = (peer.measured.cpu_s / peer.score.total) / (run.cpu_s / total)
        measured = f"{run.rate:,.0f}, {ratio:.1f} x {peer.measured.rate:,.0f}; by own CPU time {work:.1f} x"
        bars.insert(
            0, Figure(f"addresses/s, {scene.title}", f"{_TIMES_PEER} x the best peer", measured, ratio >= _TIMES_PEER)
        )
    return bars


def _of_hostile(scene: Scene) -> list[Figure]:
    ours = scene.ours()
    score, slowest = ours.score, ours.measured.slowest_s
    in_error = score.total - score.exact - score.undecided_instead
    return [
        Figure("exact verdicts, hostile hosts", "at least 97 %", f"{score.share:.2%}", score.share >= _HOSTILE_SHARE),
        Figure("not exact and not unknown, hostile hosts", "0", f"{in_error}", not in_error),
        Figure("false invalids, hostile hosts", "0", f"{score.false_invalid}", not score.false_invalid),
        Figure("last verdict, hostile hosts", f"within {BUDGET_S:.0f} s", f"{slowest:.1f} s", slowest <= BUDGET_S),
    ]


def _of_million(run: LongRun) -> list[Figure]:
    over = run.peak_mb - run.idle_mb
    what = f"{run.score.total:,} addresses through the command line"
    exact = f"{run.score.share:.3%}{'' if run.in_order else ', out of order'}"
    return [
        Figure(f"{what}, memory over start", f"at most {_MILLION_MB} MB", f"{over:.0f} MB", over <= _MILLION_MB),
        Figure(
            f"{what}, exact and in order", "at least 99.9 %", exact, run.in_order and run.score.share >= _CLEAN_SHARE
        ),
        Figure(f"{what}, false invalids", "0", f"{run.score.false_invalid}", not run.score.false_invalid),
    ]


def _of_replies(score: ReplyScore) -> Figure:
    return Figure(
        "refusals recognised, and false invalids, of all labelled replies (docs/replies.md)",
        "at least 95 %, at most 1 %",
        f"{score.recall:.1%}, {score.false:.2%}",
        score.recall >= _RECALL and score.false <= _FALSE_INVALID,
    )


def _of_syntax(syntax: SyntaxSpeed) -> list[Figure]:
    agreed = f"{syntax.agreed:,} of {syntax.compared:,}"
    return [
        Figure(
            "plain addresses read a second and core",
            f"at least {_SYNTAX_RATE:,}",
            f"{syntax.rate:,.0f} (email-validator {syntax.measure_rate:,.0f})",
            syntax.rate >= _SYNTAX_RATE,
        ),
        Figure("texts judged as email-validator does", "all", agreed, syntax.agreed == syntax.compared),
    ]
