"""The reader of uploaded lists: .csv, .txt, .xlsx and .xls in, e-mail cells in file order out.

Every upload is parsed in a child process with bounded memory, CPU and wall-clock time, so that a hostile file ends in a
`ListFileError` and never in a dead or swollen worker.

    child_process.check_filename("list.csv")
    shape = child_process.inspect_list(path)
    answer = child_process.make_product("another.child", "its product", path, {...}, spool)

The child imports this package too, so what only its parent needs is not imported here.
"""

from validation.listfiles.shape import (
    DELIMITERS,
    ENCODINGS,
    ONE_COLUMN,
    AddressLocation,
    Column,
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
    SheetShape,
    parse_location,
    parse_shape,
)

__all__ = [
    "DELIMITERS",
    "ENCODINGS",
    "ONE_COLUMN",
    "AddressLocation",
    "Column",
    "ErrorCode",
    "Kind",
    "Limits",
    "ListFileError",
    "ListShape",
    "ReadOptions",
    "SheetShape",
    "annotated_rows",
    "child",
    "child_process",
    "list_reader",
    "packages",
    "parse_location",
    "parse_shape",
    "sheet_xml",
    "sheets",
    "text",
]
