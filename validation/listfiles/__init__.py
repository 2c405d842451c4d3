"""The reader of uploaded lists: .csv, .txt, .xlsx and .xls in, e-mail cells in file order out.

Whatever is uploaded is parsed in a child process with bounded memory, CPU and wall-clock time, so
that a hostile file ends in a `ListFileError` and never in a dead or swollen worker.

    check_filename("list.csv")
    shape = inspect(path)
    with read_addresses(path, ReadOptions(email_column="2")) as (shape, addresses):
        ...
"""

from validation.listfiles.reader import check_filename, inspect, read_addresses, read_records
from validation.listfiles.shape import (
    DELIMITERS,
    ENCODINGS,
    Column,
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
    Record,
)

__all__ = [
    "DELIMITERS",
    "ENCODINGS",
    "Column",
    "ErrorCode",
    "Kind",
    "Limits",
    "ListFileError",
    "ListShape",
    "ReadOptions",
    "Record",
    "check_filename",
    "inspect",
    "read_addresses",
    "read_records",
]
