"""`make bench`: every benchmark, one after another, and docs/figures.md with what they measured."""

import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.engine import report
from benchmarks.figures import Page, environment, gathered

_ROOT = Path(__file__).parent.parent
# A target of the Makefile, and the page of docs that says more.
PARTS = {
    "bench-engine": "engine.md",
    "bench-repair": "engine.md",
    "bench-pipeline": "performance.md",
    "bench-lists": "lists.md",
    "bench-api": "api.md",
    "bench-idle": "performance.md",
    "bench-abuse": "performance.md",
    "bench-login": "identity.md",
    "bench-money": "money.md",
    "bench-admin": "staff.md",
    "bench-scale": "performance.md",
    "bench-costs": "scale.md",
    "bench-cluster": "cluster.md",
    "bench-client": "clients.md",
    "trace": "walks.md",
    "lighthouse": "performance.md",
}


def main(wanted: list[str]) -> int:
    """Run the parts by name, with or without `bench-`; all of them without names. Answers 1 when one failed."""
    unknown = [name for name in wanted if not _meant([name])]
    if unknown:
        print(f"no such part: {', '.join(unknown)}; there are {', '.join(PARTS)}", file=sys.stderr)
        return 2
    page, failed = Page(_ROOT / "docs" / "figures.md"), []
    for part in _meant(wanted) or PARTS:
        print(f"== {part}", flush=True)
        machine = report.hardware()
        with tempfile.TemporaryDirectory() as directory:
            place = Path(directory) / "figures"
            ended = subprocess.run(
                ["make", "--no-print-directory", part], cwd=_ROOT, env=environment(place), check=False
            )
            found = gathered(place)
        if found:
            page.replace(part, PARTS[part], found, machine)
        if ended.returncode or not found or not all(one.met for one in found):
            failed.append(part)
    print(f"docs/figures.md is written; failed or below a bar: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


def _meant(names: list[str]) -> list[str]:
    return [part for part in PARTS if part in names or part.removeprefix("bench-") in names]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
