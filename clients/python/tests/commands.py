"""Runs the command `emailcheck` in a process of its own."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parent.parent / "src"
_PROGRAM = "import sys; from emailcheck_client.cli import main; sys.exit(main())"
PROGRAM = [sys.executable, "-c", _PROGRAM]


class Ended(NamedTuple):
    """What a command came to."""

    status: int
    out: str
    err: str


def build_environment(**settings: str) -> dict[str, str]:
    """An environment without settings of this machine; the home of nobody."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EMAILCHECK_", "XDG_"))}
    return kept | {"PYTHONPATH": str(SOURCES), "COLUMNS": "100", "HOME": "/nonexistent"} | settings


def install_command(folder: Path) -> str:
    """Write the command `emailcheck` into a folder. Answers a search path that begins with it."""
    command = folder / "emailcheck"
    command.write_text(f"#!{sys.executable}\n{_PROGRAM}\n")
    command.chmod(0o700)
    return f"{folder}:{os.environ['PATH']}"


def run_command(*arguments: str | int | Path, environment: Mapping[str, str], given: str = "") -> Ended:
    """Run it to its end, with standard input as given."""
    line = [*PROGRAM, *map(str, arguments)]
    ended = subprocess.run(
        line, env=dict(environment), input=given.encode(), capture_output=True, check=False, timeout=120
    )
    return Ended(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


def run_on_terminal(*arguments: str | int | Path, environment: Mapping[str, str], typed: str = "") -> Ended:
    """Run it with a terminal as standard input and error."""
    ours, theirs = pty.openpty()
    try:
        line = [*PROGRAM, *map(str, arguments)]
        with subprocess.Popen(
            line, env=dict(environment), stdin=theirs, stderr=theirs, stdout=subprocess.PIPE
        ) as command:
            os.write(ours, typed.encode())
            out, _ = command.communicate(timeout=120)
        os.set_blocking(ours, False)
        return Ended(command.returncode, out.decode(), os.read(ours, 100_000).decode())
    finally:
        os.close(ours)
        os.close(theirs)
