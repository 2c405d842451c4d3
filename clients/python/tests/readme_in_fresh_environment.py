"""Runs every code block of the README, word for word and in order, in a fresh environment with the built wheel.

    make client-readme, or: python -m clients.python.tests.readme_in_fresh_environment [ADDRESS KEY]

Without an address the whole product is started for it. What a block prints is compared with the text that follows it.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tests.stack import running_stack

from clients.python.tests.readme import Block, read_blocks

DIST = Path(__file__).parent.parent / "dist"


def main(arguments: list[str]) -> int:
    """Answers 1 where a block fails or prints something else."""
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        if arguments:
            return run_blocks(folder, *arguments)
        with running_stack(folder / "product") as stack:
            made = stack.client.post("/api/user/api-keys", json={"name": "README", "test": True}).json()
            return run_blocks(folder, stack.address, made["key"])


def run_blocks(folder: Path, address: str, key: str) -> int:
    """Run them in a fresh environment below `folder`, whose command line finds nothing of this one."""
    work = folder / "work"
    venv.create(folder / "fresh", with_pip=True)
    work.mkdir()
    for wheel in DIST.glob("*.whl"):
        shutil.copy(wheel, work)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("EMAILCHECK_", "PYTHON"))}
    environment = kept | {
        "PATH": f"{folder / 'fresh' / 'bin'}:{os.environ['PATH']}",
        "HOME": str(work),
        "EMAILCHECK_API_KEY": key,
        "EMAILCHECK_BASE_URL": address,
        "EMAILCHECK_ALLOW_HTTP": "1",
    }
    blocks = read_blocks()
    failed = [block for block in blocks if not _passes(block, work, environment)]
    print(f"{len(blocks)} blocks were run, {len(failed)} failed")
    return 1 if failed or not blocks else 0


def _passes(block: Block, work: Path, environment: dict[str, str]) -> bool:
    command = ["bash", "-e", "-o", "pipefail", "-c"] if block.language == "sh" else ["python", "-W", "error", "-c"]
    ended = subprocess.run(
        [*command, block.code], cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    passes = ended.returncode == 0 and block.printed in (None, ended.stdout)
    if not passes:
        print(f"FAILED with {ended.returncode}:\n{block.code}--- printed\n{ended.stdout}{ended.stderr}")
    return passes


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
