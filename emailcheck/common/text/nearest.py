"""Which name was meant."""

from collections.abc import Iterable

MOST_EDITS = 2
_LONGEST = 64


def find_nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is fewest edits away, two at most, the first of equals; None where none is that near. Half of
    a name is never edited: `id` is no `to`."""
    most = min(MOST_EDITS, (len(name) - 1) // 2)
    if len(name) > _LONGEST or most < 1:
        return None
    near = [(count_edits(name, one), one) for one in known]
    best = min((edits for edits, _ in near), default=most + 1)
    return next(one for edits, one in near if edits == best) if best <= most else None


def count_edits(one: str, other: str) -> int:
    """How many letters have to be inserted, deleted, replaced, or exchanged with their neighbour (optimal string
    alignment distance)."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        line = [row]
        for column, other_letter in enumerate(other, start=1):
            edits = min(last[column] + 1, line[-1] + 1, last[column - 1] + (letter != other_letter))
            if row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == other_letter:
                edits = min(edits, before[column - 2] + 1)
            line.append(edits)
        before, last = last, line
    return last[-1]
