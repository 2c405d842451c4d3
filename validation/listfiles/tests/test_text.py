"""Text lists: the same list in any dress gives the same addresses, and comes back unchanged."""

import codecs
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest

from validation.listfiles import (
    ErrorCode,
    Kind,
    Limits,
    ListFileError,
    ListShape,
    ReadOptions,
)
from validation.listfiles.annotated_rows import walk_rows
from validation.listfiles.list_reader import read_list

from .conftest import Upload

HEADER = ("Name", "E-Mail", "Note, or so")
PEOPLE = (
    ("José Müller", "jose+tag@example.com", 'said "hi"; left'),
    ("Ann, B.", "ann@example.org", "two\nlines|here"),
    ("", "", ""),
    ("Zoë", "o'brien@example.co.uk", "a\tb"),
    ("Bob", "ann@example.org", "again"),
)
ADDRESSES = ["jose+tag@example.com", "ann@example.org", "", "o'brien@example.co.uk", "ann@example.org"]

ENCODINGS = {
    "utf-8": ("utf-8", b"", False),
    "utf-8 bom": ("utf-8", codecs.BOM_UTF8, True),
    "utf-16-le bom": ("utf-16-le", codecs.BOM_UTF16_LE, True),
    "utf-16-be bom": ("utf-16-be", codecs.BOM_UTF16_BE, True),
    "utf-16-le": ("utf-16-le", b"", False),
    "utf-16-be": ("utf-16-be", b"", False),
    "cp1252": ("cp1252", b"", False),
}
LINE_ENDS = ("\n", "\r\n", "\r")


def encoded(rows: Sequence[tuple[str, ...]], delimiter: str, line_end: str, dress: str) -> bytes:
    encoding, bom, _ = ENCODINGS[dress]
    text = "".join(delimiter.join(quoted(cell, delimiter) for cell in row) + line_end for row in rows)
    return bom + text.encode(encoding)


def quoted(cell: str, delimiter: str) -> str:
    needed = any(special in cell for special in (delimiter, '"', "\n"))
    return '"' + cell.replace('"', '""') + '"' if needed else cell


def understood(path: Path, options: ReadOptions | None = None) -> tuple[ListShape, list[str]]:
    reading = read_list(path, options or ReadOptions(), Limits())
    return reading.shape, [cell for (cell,) in reading.cells()]


def addresses(path: Path) -> list[str]:
    return understood(path)[1]


def refusal(path: Path, options: ReadOptions | None = None, limits: Limits | None = None) -> ListFileError:
    with pytest.raises(ListFileError) as caught:
        read_list(path, options or ReadOptions(), limits or Limits())
    return caught.value


@pytest.mark.spec("VAL-024")
@pytest.mark.parametrize("header", [True, False], ids=["header", "bare"])
@pytest.mark.parametrize("line_end", LINE_ENDS, ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "pipe"])
@pytest.mark.parametrize("dress", ENCODINGS)
def test_one_table_in_any_dress(upload: Upload, dress: str, delimiter: str, line_end: str, header: bool) -> None:
    rows = [HEADER, *PEOPLE] if header else [*PEOPLE]
    shape, found = understood(upload(encoded(rows, delimiter, line_end, dress)))
    encoding, _, bom = ENCODINGS[dress]
    assert found == ADDRESSES
    assert (shape.kind, shape.encoding, shape.bom, shape.delimiter) == (Kind.CSV, encoding, bom, delimiter)
    assert (shape.has_header, shape.email_column, shape.rows) == (header, 2, 5)
    assert [column.name for column in shape.columns] == ([*HEADER] if header else ["Column 1", "Column 2", "Column 3"])


@pytest.mark.spec("VAL-024")
@pytest.mark.parametrize("header", [True, False], ids=["header", "bare"])
@pytest.mark.parametrize("line_end", LINE_ENDS, ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("dress", ENCODINGS)
def test_one_address_a_line_in_any_dress(upload: Upload, dress: str, line_end: str, header: bool) -> None:
    values = ["josé@example.com", "", " spaced@example.com ", '"quoted one"@example.com', "not an address"]
    lines = ["Adressé"] * header + values
    encoding, bom_bytes, bom = ENCODINGS[dress]
    text = "".join(line + line_end for line in lines)
    shape, found = understood(upload(bom_bytes + text.encode(encoding)))
    assert found == values
    assert (shape.kind, shape.encoding, shape.bom, shape.delimiter) == (Kind.TXT, encoding, bom, "")
    assert (shape.has_header, shape.email_column, shape.rows) == (header, 1, 5)


@pytest.mark.spec("VAL-072")
@pytest.mark.parametrize("dress", ENCODINGS)
@pytest.mark.parametrize("line_end", LINE_ENDS, ids=["lf", "crlf", "cr"])
def test_the_lines_give_the_file_back(upload: Upload, dress: str, line_end: str) -> None:
    data = encoded([HEADER, *PEOPLE], ";", line_end, dress)
    path = upload(data)
    shape = understood(path)[0]
    lines = list(walk_rows(path, shape.location, Limits(), protect=str))
    assert [line.number for line in lines] == [0, 1, 2, 3, 4, 5]
    assert [line.emails[0] for line in lines[1:]] == ADDRESSES
    bom = ENCODINGS[dress][1]
    assert bom + "".join(line.text + line.end for line in lines).encode(shape.encoding or "") == data


@pytest.mark.spec("REP-026")
def test_unprotected_rows_come_back_byte_for_byte(upload: Upload) -> None:
    data = b'Title =1\r\nName,Email,\n"=1+1",a@x.com, -2+3\r\nsay "hi",b@x.com\n"Al" B,c@x.com,"x\n'
    path = upload(data)
    shape = understood(path)[0]
    lines = [line.text + line.end for line in walk_rows(path, shape.location, Limits(), protect=None)]
    assert "".join(lines).replace("b@x.com,", "b@x.com").encode() == data
    protected = list(walk_rows(path, shape.location, Limits(), protect=lambda cell: cell.replace("=", "'=")))
    assert [protected[0].text, protected[2].text] == ["Title '=1", '"\'=1+1",a@x.com, -2+3']


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('name,email\n"5"" pipe",a@x.com\n', ["a@x.com"]),
        ('name,email\n"say \\"hi\\", Bob",a@x.com\n', ["a@x.com"]),
        ('email,name\n"never closed,Al\nb@x.com,Bob\nc@x.com,Cy\n', ['"never closed', "b@x.com", "c@x.com"]),
        ('email,name\n"a b"@x.com,Al\nb@x.com,Bob\n', ['"a b"@x.com', "b@x.com"]),
        (
            'name,email\n"A "B" C, Inc",a@x.com\n"D, Inc",b@x.com\n"E",c@x.com\n"F",d@x.com\n',
            [' Inc"', "b@x.com", "c@x.com", "d@x.com"],
        ),
        ('"a@x.com"\n"b@x.com"\n', ["a@x.com", "b@x.com"]),
        ("sep=;\nEmail;Name\na@x.com;Smith, J\n", ["a@x.com"]),
        ("Smith, Al;a@x.com\nJones, Bo;b@x.com\n", ["a@x.com", "b@x.com"]),
        ("a@x.com;1,5;2,5\nb@x.com;3,5;4,5\n", ["a@x.com", "b@x.com"]),
        ("a@x.com,\nb@x.com,\n", ["a@x.com", "b@x.com"]),
        ("\n\nEmail\n\na@x.com\n", ["", "a@x.com"]),
        ("\na@x.com\nb@x.com", ["", "a@x.com", "b@x.com"]),
        ("a@x.com\r\nb@x.com\nc@x.com\rd@x.com", ["a@x.com", "b@x.com", "c@x.com", "d@x.com"]),
        ("Ann <ann@x.com>\nBob <bob@x.com>\n", ["Ann <ann@x.com>", "Bob <bob@x.com>"]),
    ],
    ids=[
        "doubled quotes",
        "backslashed quotes",
        "quote never closed",
        "quoted local part",
        "one sloppy quote",
        "every cell quoted",
        "separator line of Excel",
        "comma in names",
        "decimal commas",
        "trailing delimiter",
        "blank lines around the header",
        "blank first line, no header",
        "mixed line ends",
        "names and brackets",
    ],
)
def test_awkward_text(upload: Upload, text: str, expected: list[str]) -> None:
    assert addresses(upload(text.encode())) == expected


@pytest.mark.parametrize("byte", [0x81, 0x8D, 0x8F, 0x90, 0x9D])
def test_bytes_undefined_in_cp1252_come_back(upload: Upload, byte: int) -> None:
    path = upload(b"a@x.com,%c\n" % byte)
    shape = understood(path)[0]
    assert shape.encoding == "iso8859-1"
    assert [line.text for line in walk_rows(path, shape.location, Limits(), protect=str)] == [f"a@x.com,{chr(byte)}"]


@pytest.mark.spec("VAL-024")
@pytest.mark.parametrize(
    "name",
    ["email", "EMAIL", "E-mail", "Mail", "e-mail address", "Email Address", "email_address", " eMail "],
)
def test_the_named_column_wins_over_an_earlier_one_full_of_addresses(upload: Upload, name: str) -> None:
    text = f"manager,{name}\nboss@x.com,a@x.com\nboss@x.com,b@x.com\n"
    assert addresses(upload(text.encode())) == ["a@x.com", "b@x.com"]


@pytest.mark.spec("VAL-024")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,contact,other\n1,a@x.com,c@x.com\n2,b@x.com,d@x.com\n", ["a@x.com", "b@x.com"]),
        ("note,contact\nask@x.com,a@x.com\nno,b@x.com\nno,c@x.com\n", ["a@x.com", "b@x.com", "c@x.com"]),
        ("email,work\n,a@x.com\n,b@x.com\n", ["a@x.com", "b@x.com"]),
        ("contact\n" + "\n" * 3000 + "a@x.com\n", [""] * 3000 + ["a@x.com"]),
    ],
    ids=["first of two", "mostly addresses", "the named one is blank", "after many blank rows"],
)
def test_else_the_first_column_that_looks_like_addresses(upload: Upload, text: str, expected: list[str]) -> None:
    assert addresses(upload(text.encode())) == expected


CHOICE = b"boss,email,alt\nboss@x.com,a@x.com,z@x.com\nboss@x.com,b@x.com,y@x.com\n"


@pytest.mark.spec("VAL-045")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (ReadOptions(), ["a@x.com", "b@x.com"]),
        (ReadOptions(email_column="ALT "), ["z@x.com", "y@x.com"]),
        (ReadOptions(email_column="3"), ["z@x.com", "y@x.com"]),
        (ReadOptions(has_header=False), ["boss", "boss@x.com", "boss@x.com"]),
        (ReadOptions(has_header=False, email_column="2"), ["email", "a@x.com", "b@x.com"]),
        (ReadOptions(delimiter=""), ["boss@x.com,a@x.com,z@x.com", "boss@x.com,b@x.com,y@x.com"]),
        (ReadOptions(encoding="latin-1", delimiter=","), ["a@x.com", "b@x.com"]),
    ],
    ids=["guessed", "by name", "by number", "no header", "no header, column", "unsplit", "encoding"],
)
def test_choices_override_guesses(upload: Upload, options: ReadOptions, expected: list[str]) -> None:
    assert understood(upload(CHOICE), options)[1] == expected


@pytest.mark.spec("VAL-045")
def test_columns_come_with_five_values_each(upload: Upload) -> None:
    lines = "".join(f"{number},,u{number}@x.com\n" for number in range(1, 8))
    shape, _ = understood(upload(("id,gap,email\n" + lines).encode()))
    assert [(column.index, column.name, column.looks_like_email) for column in shape.columns] == [
        (1, "id", 0.0),
        (2, "gap", 0.0),
        (3, "email", 1.0),
    ]
    assert [column.samples for column in shape.columns] == [
        ("1", "2", "3", "4", "5"),
        (),
        ("u1@x.com", "u2@x.com", "u3@x.com", "u4@x.com", "u5@x.com"),
    ]


def test_an_encoding_may_be_insisted_on(upload: Upload) -> None:
    path = upload("имя,почта\nАня,a@x.com\n".encode("cp1251"))
    shape, found = understood(path, ReadOptions(encoding="windows-1251"))
    assert (shape.encoding, [column.name for column in shape.columns]) == ("cp1251", ["имя", "почта"])
    assert found == ["a@x.com"]


@pytest.mark.parametrize(
    ("options", "code", "detail"),
    [
        (
            ReadOptions(email_column="phone"),
            ErrorCode.UNKNOWN_COLUMN,
            "There is no column 'phone'. Give the name of a column or a number from 1 to 3.",
        ),
        (
            ReadOptions(email_column="4"),
            ErrorCode.UNKNOWN_COLUMN,
            "There is no column '4'. Give the name of a column or a number from 1 to 3.",
        ),
        (
            ReadOptions(email_column="0"),
            ErrorCode.UNKNOWN_COLUMN,
            "There is no column '0'. Give the name of a column or a number from 1 to 3.",
        ),
        (
            ReadOptions(delimiter="x"),
            ErrorCode.INVALID_OPTION,
            "The delimiter must be a comma, a semicolon, a tab, a vertical bar or empty.",
        ),
        (
            ReadOptions(encoding="utf-16-le"),
            ErrorCode.UNREADABLE_FILE,
            "The file is not valid utf-16-le. Choose another encoding, or save it as UTF-8.",
        ),
    ],
    ids=["no such name", "beyond the last", "zero", "odd delimiter", "wrong encoding"],
)
def test_choices_that_do_not_fit(upload: Upload, options: ReadOptions, code: ErrorCode, detail: str) -> None:
    error = refusal(upload(CHOICE), options)
    assert (error.code, error.detail) == (code, detail)


@pytest.mark.parametrize("encoding", ["zlib", "idna", "unicode_escape", "../etc", "no\0pe", ""])
def test_only_listed_encodings_are_used(upload: Upload, encoding: str) -> None:
    assert refusal(upload(CHOICE), ReadOptions(encoding=encoding)).code == ErrorCode.INVALID_OPTION


@pytest.mark.spec("VAL-025")
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n \n",
        codecs.BOM_UTF8,
        b"Email\n",
        b"Name,Email\n",
        b"Name,Email\nAnn,\n",
        b"foo\nbar\n",
        b",",
    ],
    ids=["empty", "blank", "only a mark", "only a header", "only names", "blank column", "words", "a comma"],
)
def test_nothing_usable(upload: Upload, data: bytes) -> None:
    error = refusal(upload(data))
    assert (error.code, error.detail) == (ErrorCode.NO_EMAILS, "No email addresses found in the file")


@pytest.mark.parametrize(
    ("data", "limits", "code"),
    [
        (b"a@x.com\n" * 11, Limits(rows=10), ErrorCode.TOO_MANY_ROWS),
        (b"\n" * 10**6 + b"a@x.com", Limits(rows=1000), ErrorCode.TOO_MANY_ROWS),
        (b"a@x.com" + b"," * 2000, Limits(), ErrorCode.TOO_MANY_COLUMNS),
        (b"a@x.com" + b"," * 9_000_000, Limits(), ErrorCode.TOO_MANY_COLUMNS),
        (b"a@x.com," + b"n" * 32_768, Limits(), ErrorCode.CELL_TOO_LONG),
        (b"a@x.com," + b"n" * 10_000_000, Limits(), ErrorCode.CELL_TOO_LONG),
        (b'a@x.com,"' + b"n" * 40_000 + b'"\n', Limits(), ErrorCode.CELL_TOO_LONG),
        (b"a@x.com" + b",nnnn" * 100, Limits(cell_chars=8, row_chars=400), ErrorCode.CELL_TOO_LONG),
    ],
    ids=["rows", "blank rows", "columns", "millions of columns", "cell", "10 MB cell", "quoted cell", "row"],
)
def test_limits(upload: Upload, data: bytes, limits: Limits, code: ErrorCode) -> None:
    assert refusal(upload(data), limits=limits).code == code


def test_exactly_at_the_limits(upload: Upload) -> None:
    row = "a@x.com," + "n" * 32_767 + "," * 1998 + "\n"
    lines = ["Email\n", row, row]
    reading = read_list(upload("".join(lines).encode()), ReadOptions(), Limits(rows=2))
    assert (reading.shape.rows, len(reading.shape.columns)) == (2, 2000)
    assert list(itertools.islice(reading.cells(), 3)) == [("a@x.com",), ("a@x.com",)]
