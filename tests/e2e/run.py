"""Runs Playwright against a fresh copy of the product: `python -m tests.e2e.run [arguments of playwright test]`."""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.stack import ROOT, copies, running_stack

FRONTEND = ROOT / "frontend"
# So that each test comes from an address of its own (see cast.ts).
AS_MANY = {"TRUSTED_PROXIES": "127.0.0.1"}


def main(arguments: list[str]) -> int:
    """Answers Playwright's exit code."""
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **AS_MANY) as stack:
        environment = {
            **stack.environment,  # so that a test can call manage.py
            "BASE_URL": stack.address,
            "COPIES": str(copies()),  # for the product without any account
            # The tests live outside of frontend/, where their packages are.
            "NODE_PATH": str(FRONTEND / "node_modules"),
        }
        playwright = FRONTEND / "node_modules" / "@playwright" / "test" / "cli.js"
        command = ["node", str(playwright), "test", *arguments]
        return subprocess.run(command, cwd=FRONTEND, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
