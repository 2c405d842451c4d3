"""Cells that a spreadsheet would run as formulas, made inert by an apostrophe that an import takes off again."""

# Full-width forms included: some programs read them as the plain characters.
STARTS = tuple("=+-@\t\r＝＋－＠")


def protected(cell: str) -> str:
    """The cell with an apostrophe before what a spreadsheet would run."""
    return f"'{cell}" if cell.startswith(STARTS) else cell


def unprotected(cell: str) -> str:
    """The cell as it was before `protected`."""
    return cell[1:] if cell.startswith("'") and cell.startswith(STARTS, 1) else cell
