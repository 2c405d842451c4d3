"""What the product takes while nobody uses it: processes and memory of `make run` with the sandbox.

    make bench-idle

Memory is the proportional set size of all its processes (`Pss` of proc_pid_smaps(5)): what several share counts once.
It is read after a page and a call were answered, and after every clock and schedule had its first turn.
"""

import tempfile
import time
from pathlib import Path

from benchmarks import figures
from tests.stack import Stack, cpu_seconds, name_of, running_stack

SETTLES_S = 75.0
PROCESSES, MEMORY_MB = 12, 400


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory)) as stack:
        stack.client.get("/").raise_for_status()
        stack.get("/api/credits")
        before = cpu_seconds(stack.processes())
        time.sleep(SETTLES_S)
        pids = sorted(stack.processes())
        cpu = (cpu_seconds(pids) - before) / SETTLES_S
        sizes = {pid: proportional_mb(pid) for pid in pids}
        report(stack, sizes)
    figures.at_most("[B5] processes of an idle product with the sandbox", len(sizes), PROCESSES)
    figures.at_most("[B5] memory of an idle product with the sandbox", sum(sizes.values()), MEMORY_MB, "MB")
    memory = sum(sizes.values())
    print(f"{len(sizes)} processes (bar {PROCESSES}), {memory:.0f} MB (bar {MEMORY_MB}), {cpu:.1%} of a core")


def report(stack: Stack, sizes: dict[int, float]) -> None:
    """A line for each process."""
    (parent,) = stack.parents()
    supervisor = stack.supervisor.pid if stack.supervisor else 0
    roles = {supervisor: "supervisor", parent: "parent of the family"}
    for pid, size in sizes.items():
        shown = name_of(pid)
        print(f"{roles.get(pid) or (shown if not shown.startswith('python') else 'sandbox'):24}{size:8.1f} MB")


def proportional_mb(pid: int) -> float:
    """The proportional set size of a process, in MB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


if __name__ == "__main__":
    main()
