"""A copy of the product with one administrator and nothing else: `python -m tests.e2e.empty EMAIL PASSWORD`.

Prints its address, and ends with its input.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from tests.stack import ROOT, empty_stack


def main(email: str, password: str) -> None:
    with tempfile.TemporaryDirectory() as directory, empty_stack(Path(directory)) as stack:
        command = [sys.executable, "manage.py", "create_admin", email, "Sam", "--ask"]
        subprocess.run(
            command,
            cwd=ROOT,
            env=stack.environment,
            input=f"{password}\n",
            text=True,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        sys.stdout.write(f"{stack.address}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
