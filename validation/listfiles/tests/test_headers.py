"""The header of a list: found at its top or below title rows, set by the customer, and not seen where there is none."""

import io
from pathlib import Path

import pytest

from validation.listfiles import ErrorCode, Limits, ListFileError, ListShape, ReadOptions
from validation.listfiles.annotated_rows import walk_rows
from validation.listfiles.child_process import inspect_list
from validation.listfiles.list_reader import read_list

from .conftest import Upload
from .workbooks import openpyxl

TITLES = "Spring campaign,,\nReport created 2026-03-01,,\n,,\nQuestions: support@firm.com,,\n"
TABLE = "Name,Contact e-mail,City\nAnn,ann@x.com,Rome\nBob,,Bonn\nCy,cy@x.com,Oslo\n"


def understood(path: Path, options: ReadOptions | None = None) -> tuple[ListShape, list[str]]:
    reading = read_list(path, options or ReadOptions(), Limits())
    return reading.shape, [cell for (cell,) in reading.cells()]


def refusal(path: Path, options: ReadOptions) -> tuple[ErrorCode, str]:
    with pytest.raises(ListFileError) as caught:
        read_list(path, options, Limits())
    return caught.value.code, caught.value.detail


@pytest.mark.spec("REP-022")
@pytest.mark.finding("E5")
def test_rows_above_the_header_are_titles(upload: Upload) -> None:
    path = upload((TITLES + TABLE).encode())
    shape, found = understood(path)
    assert found == ["ann@x.com", "", "cy@x.com"]
    assert (shape.has_header, shape.header_row, shape.first_row, shape.rows) == (True, 5, 5, 3)
    assert [(column.name, column.samples, column.looks_like_email, column.likely) for column in shape.columns] == [
        ("Name", ("Ann", "Bob", "Cy"), 0.0, False),
        ("Contact e-mail", ("ann@x.com", "cy@x.com"), 1.0, True),
        ("City", ("Rome", "Bonn", "Oslo"), 0.0, False),
    ]
    lines = list(walk_rows(path, shape.location, Limits(), protect=None))
    assert [line.number for line in lines] == [None, None, None, None, 0, 1, 2, 3]
    assert [line.emails for line in lines[4:]] == [["Contact e-mail"], ["ann@x.com"], [""], ["cy@x.com"]]
    assert "".join(line.text + line.end for line in lines) == TITLES + TABLE


@pytest.mark.spec("REP-022")
@pytest.mark.parametrize(
    ("above", "header", "rows"),
    [
        ("sep=;\nClub;\n\n", "Name;Email", ["Ann;a@x.com", "Bob;b@x.com"]),
        ("Contact;support@firm.com\nPrinted;2026-01-02 10:00\n", "Name;E-Mail", ["Ann;a@x.com", "Bob;b@x.com"]),
        ("Our members\n", "Email", ["a@x.com", "b@x.com"]),
        ("E-mail list 2026\n", "Email", ["a@x.com", "b@x.com"]),
        ("Email\n", "Email;Name", ["a@x.com;Ann", "b@x.com;Bob"]),
        ("E-Mail-Verteiler;;\nFragen an verein@firm.de;;\n", "Nr;Kontakt: E-Mail;Ort", ["1;a@x.com;", "2;b@x.com;Ulm"]),
        ("Report;2026\n\n", "id;reach;other", ["1;a@x.com;u", "2;b@x.com;v"]),
        ("".join(f"Line {number};\n" for number in range(1, 21)), "Name;Email", ["Ann;a@x.com", "Bob;b@x.com"]),
        ("\n \n", "Name;Correo electrónico", ["Ann;a@x.com", "Bob;b@x.com"]),
        ("Ein\nTitel\nvon\nsechs\nvielen\nZeilen\n", "Name;Adresse e-mail", ["Ann;a@x.com", "Bob;b@x.com"]),
        ("Titre;\n", "Nom;Courriel", ["Ann;Anna <a@x.com>", "Bob;b@x.com"]),
    ],
    ids=[
        "separator line", "contact in a cell of its own", "one column", "title that says e-mail",
        "title like the header",
        "contact in a sentence", "header of other words", "twenty titles", "blank rows", "many narrow titles",
        "a cell with a name",
    ],
)  # fmt: skip
def test_a_header_below_titles_is_found(upload: Upload, above: str, header: str, rows: list[str]) -> None:
    shape, found = understood(upload("\n".join([above + header, *rows, ""]).encode()))
    column = next(at for at, cell in enumerate(rows[1].split(";")) if "@" in cell)
    assert found == [row.split(";")[column] for row in rows]
    assert [named.name for named in shape.columns] == header.split(";")
    assert shape.header_row == above.count("\n") + 1


@pytest.mark.spec("REP-022")
def test_a_merged_title_of_a_workbook_is_none_of_the_list(upload: Upload) -> None:
    book = openpyxl.Workbook()
    for row in ([], ["Members of the club"], [], ["No.", "Name", "E-mail address"], [1, "Ann", "ann@x.com"]):
        book.active.append(row)
    book.active.merge_cells("A2:C2")
    stream = io.BytesIO()
    book.save(stream)
    shape, found = understood(upload(stream.getvalue()))
    assert (found, shape.header_row, shape.rows) == (["ann@x.com"], 4, 1)
    assert [column.name for column in shape.columns] == ["No.", "Name", "E-mail address"]


@pytest.mark.spec("REP-022")
@pytest.mark.parametrize(
    "header",
    [
        "Contact e-mail", "E-mail address", "EMAIL", "e_mail", "emailAddress", "user_email", "Email 2",
        "E-Mail-Adresse",
        "Ihre E-Mail", "Kontakt: E-Mail", "Adresse e-mail", "Adresse électronique", "Courriel professionnel",
        "Correo electrónico", "Dirección de correo", "Indirizzo e-mail", "Posta elettronica", "Endereço de e-mail",
        "E-mailadres", "E-post", "E-posta adresi", "Sähköposti", "Adres e-mail", "Электронная почта", "メールアドレス",
        "电子邮件地址", "이메일 주소", "Contacts", "Subscribers",
    ],
)  # fmt: skip
def test_a_header_text_is_never_checked(upload: Upload, header: str) -> None:
    for text in (f"{header}\na@x.com\n", f"{header};Name\na@x.com;Ann\n", f"Title\n{header}\na@x.com\n"):
        shape, found = understood(upload(text.encode()))
        assert (found, shape.columns[0].name) == (["a@x.com"], header)


@pytest.mark.spec("REP-022")
@pytest.mark.parametrize(
    "text",
    [
        "a@x.com\nb@x.com\n",
        "Ann Smith\na@x.com\nb@x.com\n",
        "Anna\na@x.com\n",
        "annx.com\na@x.com\n",
        "Ann,\nBob,b@x.com\n",
        "Ann,n/a\nBob,b@x.com\n",
        "Ann,no email\nBob,b@x.com\n",
        "Ann,annx.com\nBob,b@x.com\n",
        "Ann,ann(at)x.com\nBob,b@x.com\n",
        "1,later\n2,b@x.com\n",
        "Zoë,,Email\nAnn,a@x.com,Phone\n",
        "Ann,a@x.com\nBob,no email\nCy,c@x.com\n",
        "Ann,a@x.com\nName,Email\nCy,c@x.com\n",
        "Anna <a@x.com>\nBob <b@x.com>\n",
        "Contact: Anna <a@x.com>\nEmail\nb@x.com\n",
        "Email,info@x.com\nName,b@x.com\n",
        "\nAnn,a@x.com\n",
    ],
)
def test_a_list_without_a_header_loses_no_row(upload: Upload, text: str) -> None:
    shape, found = understood(upload(text.encode()))
    assert (shape.has_header, shape.header_row, shape.first_row) == (False, 0, 0)
    column = shape.email_column - 1
    assert found == [[*row.split(","), ""][column] for row in text.splitlines()]


@pytest.mark.spec("REP-022")
@pytest.mark.parametrize(
    ("options", "names", "found"),
    [
        (ReadOptions(header_row=0), ["Column 1", "Column 2"], ["Mail", "a@x.com", "Letter", "b@x.com"]),
        (ReadOptions(header_row=1), ["Shop", "Mail"], ["a@x.com", "Letter", "b@x.com"]),
        (ReadOptions(header_row=3), ["Post", "Letter"], ["b@x.com"]),
        (ReadOptions(header_row=3, has_header=True, email_column="letter"), ["Post", "Letter"], ["b@x.com"]),
        (ReadOptions(email_column="letter"), ["Shop", "Mail"], None),
    ],
    ids=["none", "first row", "a row in the middle", "with other choices", "a name of another row"],
)
def test_the_header_row_can_be_set(
    upload: Upload, options: ReadOptions, names: list[str], found: list[str] | None
) -> None:
    path = upload(b"Shop,Mail\nAnn,a@x.com\nPost,Letter\nBob,b@x.com\n")
    if found is None:
        detail = "There is no column 'letter'. Give the name of a column or a number from 1 to 2."
        assert refusal(path, options) == (ErrorCode.UNKNOWN_COLUMN, detail)
        return
    shape, cells = understood(path, options)
    assert ([column.name for column in shape.columns], cells) == (names, found)
    assert (shape.header_row, shape.has_header, shape.rows) == (
        options.header_row,
        bool(options.header_row),
        len(found),
    )


@pytest.mark.spec("REP-022")
def test_the_hundredth_row_can_be_the_header(upload: Upload) -> None:
    path = upload(("x\n" * 98 + "\nEmail\n" + "a@x.com\n" * 3).encode())
    shape, found = understood(path, ReadOptions(header_row=100))
    assert (found, shape.rows, shape.columns[0].name) == (["a@x.com"] * 3, 3, "Email")


CONTRADICTION = "`header_row` is 0 for a list without a header, and only then; `has_header` says else."
BOUNDS = "The header can be in row 1 to 100; 0 is a list without a header."


@pytest.mark.spec("REP-022")
@pytest.mark.parametrize(
    ("options", "detail"),
    [
        (ReadOptions(header_row=4), "There is no row 4: the list ends at row 3."),
        (ReadOptions(header_row=101), BOUNDS),
        (ReadOptions(header_row=-1), BOUNDS),
        (ReadOptions(header_row=1, has_header=False), CONTRADICTION),
        (ReadOptions(header_row=0, has_header=True), CONTRADICTION),
    ],
    ids=["beyond the file", "beyond the bound", "negative", "against no header", "against a header"],
)
def test_a_header_row_that_does_not_fit(upload: Upload, options: ReadOptions, detail: str) -> None:
    path = upload(b"Email\na@x.com\nb@x.com\n")
    with pytest.raises(ListFileError) as caught:
        inspect_list(path, options)
    assert (caught.value.code, caught.value.detail) == (ErrorCode.INVALID_HEADER_ROW, detail)
