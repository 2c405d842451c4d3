"""The reader of uploaded lists: .csv, .txt, .xlsx and .xls in, e-mail cells in file order out.

Every upload is parsed in a child process with bounded memory, CPU and wall-clock time, so that a hostile file ends in a
`ListFileError` and never in a dead or swollen worker.

    check_filename("list.csv")
    shape = inspect_list(path)
    answer = make_product("another.child", "its product", path, {...}, spool)
"""

from validation.listfiles.child_process import check_filename, inspect_list, make_product, stream_product
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
)
from validation.listfiles.stored_shapes import parse_location, parse_shape

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
    "check_filename",
    "child",
    "inspect_list",
    "list_reader",
    "make_product",
    "packages",
    "parse_location",
    "parse_shape",
    "sheet_xml",
    "sheets",
    "stream_product",
    "text",
]
