"""The figures as Markdown, ready to paste."""

import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.engine.million import LongRun
from benchmarks.engine.scenes import Row, Scene
from benchmarks.figures import Figure


def hardware() -> str:
    """What the figures were taken on."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    model = next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())
    memory_gb = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"Linux {platform.release().partition('-')[0]}, Python {platform.python_version()}"
    load = f"load before {os.getloadavg()[0]:.1f}"
    return f"{model}, {os.cpu_count()} cores, {memory_gb:.0f} GB, {system}, {load}"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def of_scene(scene: Scene) -> str:
    """One scene with everybody's figures."""
    titles = (
        "subject",
        "addresses",
        "addresses/s",
        "exact",
        "false invalid",
        "connections an address",
        "most open to one host",
        "DNS queries an address",
        "own CPU, µs an address",
        "servers' CPU",
        "peak MB (over start)",
    )
    return f"### {scene.title}\n\n{table(titles, map(_cells, scene.rows))}"


def _cells(row: Row) -> list[str]:
    run, score = row.measured, row.score
    name = f"{row.name}, {run.parallel} calls side by side" if run.parallel else f"**{row.name}**"
    return [
        name,
        f"{score.total:,}",
        f"{run.rate:,.0f}",
        f"{score.share:.2%}",
        f"{score.false_invalid}",
        f"{run.seen.connections / score.total:.3f}",
        f"{run.seen.most_open}",
        f"{run.seen.dns_queries / score.total:.3f}",
        f"{1e6 * run.cpu_s / score.total:.0f}",
        f"{1e6 * run.seen.cpu_s / score.total:.0f}",
        f"{run.peak_mb:.0f} ({run.peak_mb - run.start_mb:+.0f})",
    ]


def of_hostile(scene: Scene) -> str:
    """The scene of difficult hosts."""
    titles = (
        "subject",
        "addresses",
        "exact",
        "false invalid",
        "unknown instead",
        "slowest, s",
        "most open to one host",
    )
    rows = [
        [
            row.name,
            f"{row.score.total:,}",
            f"{row.score.share:.2%}",
            f"{row.score.false_invalid} ({row.score.false_invalid / row.score.total:.1%})",
            f"{row.score.undecided_instead}",
            f"{row.measured.slowest_s:.1f}",
            f"{row.measured.seen.most_open}",
        ]
        for row in scene.rows
    ]
    return f"### {scene.title}\n\n{table(titles, rows)}"


def of_million(run: LongRun) -> str:
    """The long list."""
    titles = (
        "addresses",
        "addresses/s",
        "exact",
        "connections an address",
        "DNS queries an address",
        "CPU s",
        "output",
    )
    cells = [
        f"{run.score.total:,}",
        f"{run.rate:,.0f}",
        f"{run.score.share:.3%}",
        f"{run.seen.connections / run.score.total:.3f}",
        f"{run.seen.dns_queries / run.score.total:.3f}",
        f"{run.cpu_s:.0f}",
        f"{run.output_gb:.1f} GB of JSON lines, peak {run.peak_mb:.0f} MB, {run.idle_mb:.0f} MB for an empty list",
    ]
    return f"### `python -m validation.engine --json`, a long list\n\n{table(titles, [cells])}"


def of_bars(bars: Iterable[Figure]) -> str:
    """What was asked for and whether it was reached."""
    rows = [[bar.what, bar.bar, bar.measured, "yes" if bar.met else "**no**"] for bar in bars]
    return f"### Bars\n\n{table(('what', 'bar', 'measured', 'met'), rows)}"


def of_mistakes(row: Row, limit: int = 15) -> str:
    """What we said instead of the truth, most frequent first."""
    return "".join(f"- {count} x {what}\n" for what, count in row.score.wrong.most_common(limit))
