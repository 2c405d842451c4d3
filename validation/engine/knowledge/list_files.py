"""The files of names in `data/`: sections in brackets, one name a line, `# key: value` in the header."""

from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
CURATED = DATA / "curated.txt"
COMPILED = DATA / "domains.txt"
WORDS = DATA / "words.txt"


@dataclass(frozen=True, slots=True)
class Sections:
    """What a file of names holds: header values by key, names by section."""

    header: dict[str, str]
    names: dict[str, tuple[str, ...]]


def read_sections(path: Path) -> Sections:
    """Read a file of names. Comments inside sections are skipped."""
    head, *blocks = path.read_text(encoding="utf-8").split("\n[")
    header = dict(line[2:].split(": ", 1) for line in head.splitlines() if line.startswith("# ") and ": " in line)
    names = {}
    for block in blocks:
        title, _, body = block.partition("]\n")
        lines = body.split("\n")
        names[title] = tuple(line for line in lines if line and line[0] != "#")
    return Sections(header, names)
