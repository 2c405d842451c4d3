"""Runs Playwright against a fresh copy of the product: `python -m tests.e2e.run [arguments of playwright test]`."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.stack import ROOT, Stack, copies, running_stack

FRONTEND = ROOT / "frontend"
# So that each test comes from an address of its own (see cast.ts).
AS_MANY = {"TRUSTED_PROXIES": "127.0.0.1"}


@contextmanager
def shell_that_stays(stack: Stack) -> Iterator[str]:
    """Where code is taken that runs inside of the product."""
    command = [sys.executable, "-m", "tests.e2e.shell"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=stack.environment, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin
        assert process.stdout
        try:
            yield process.stdout.readline().strip()
        finally:
            process.stdin.close()


def main(arguments: list[str]) -> int:
    """Answers Playwright's exit code."""
    with (
        tempfile.TemporaryDirectory() as directory,
        running_stack(Path(directory), **AS_MANY) as stack,
        shell_that_stays(stack) as shell,
    ):
        environment = {
            **stack.environment,  # so that a test can call manage.py
            "BASE_URL": stack.address,
            "SHELL_URL": shell,
            "COPIES": str(copies()),  # for the product without any account
            # The tests live outside of frontend/, where their packages are.
            "NODE_PATH": str(FRONTEND / "node_modules"),
        }
        playwright = FRONTEND / "node_modules" / "@playwright" / "test" / "cli.js"
        command = ["node", str(playwright), "test", *arguments]
        return subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
