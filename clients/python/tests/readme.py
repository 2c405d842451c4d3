"""The blocks of the package's README: what is run, and what it is to print."""

import re
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).parent.parent / "README.md"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = ("sh", "python")


class Block(NamedTuple):
    """Code, and the text that follows it, None where none does."""

    language: str
    code: str
    printed: str | None


def read_blocks() -> list[Block]:
    """The blocks that are run, in their order."""
    found = _BLOCK.findall(README.read_text())
    following = [*found[1:], ("", "")]
    return [
        Block(language, code, after[1] if after[0] == "text" else None)
        for (language, code), after in zip(found, following, strict=True)
        if language in RUN
    ]
