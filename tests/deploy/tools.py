"""The tools that read the files of `deploy/`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

ROOT: Path = settings.BASE_DIR
DEPLOY = ROOT / "deploy"


def find_tool(name: str) -> str:
    """The path of a program of the machine, or of this Python's. Skips the test where there is none."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name, path="/usr/bin:/usr/sbin:/usr/local/bin:/bin:/sbin")
    if found is None:
        pytest.skip(f"not tried here: {name} is not installed")
    return found


def run_tool(name: str, *arguments: str | Path, **changes: str) -> "subprocess.CompletedProcess[str]":
    """Run a tool to its end, with changes of the environment; what it prints comes in `stdout`."""
    command = [
        "/usr/bin/env",
        *(f"{key}={value}" for key, value in changes.items()),
        find_tool(name),
        *map(str, arguments),
    ]
    return subprocess.run(
        command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
    )


def list_headings(document: str) -> set[str]:
    """The anchors of a document's chapters, as GitHub makes them."""
    titles = [line.lstrip("#").strip() for line in (ROOT / document).read_text().splitlines() if line.startswith("#")]
    kept = ("".join(sign for sign in title.lower() if sign.isalnum() or sign in " -") for title in titles)
    return {title.replace(" ", "-") for title in kept}
