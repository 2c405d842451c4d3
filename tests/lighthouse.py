"""Lighthouse on every public page of a fresh copy: `python -m tests.lighthouse [path …]`."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.stack import ROOT, running_stack


def main(paths: list[str]) -> int:
    """Answers 1 when a page is below the bars. Without paths, those of the sitemap are measured."""
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory)) as stack:
        listed = re.findall("<loc>(.*?)</loc>", stack.client.get("/sitemap.xml").text)
        wanted = paths or [place.removeprefix(stack.address) for place in listed]
        command = ["node", str(ROOT / "frontend" / "lighthouse" / "measure.mjs"), stack.address, *wanted]
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
