"""Files that programs for newsletters import: their headers, names and other columns, each address once."""

import csv
import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import Batch, BatchType
from validation.batches.uploads import drafts
from validation.exports.name_columns import find_name_columns
from validation.exports.tests.lists import discard_file
from validation.listfiles import ReadOptions
from validation.listfiles.tests.workbooks import xls, xlsx
from validation.results.models import RepairedAddress
from validation.tests import stored

HEADERS = {
    "mailchimp": ["Email Address", "First Name", "Last Name", "Tags"],
    "hubspot": ["Email", "First Name", "Last Name", "Email Verdict"],
    "klaviyo": ["Email", "First Name", "Last Name", "email_verdict"],
    "brevo": ["EMAIL", "FIRSTNAME", "LASTNAME", "EMAIL_VERDICT"],
}
IDA, ROSA, GONE = "ida.holm@harborquill.com", "rosa.kent@harborquill.com", "gone.hannah.park@twolines.net"
ROWS = [
    "Kundennr;Vorname;E-Mail;Nachname;Tags;email;Notiz",
    f'1;Ida;{IDA};Holm;a, b;x;"said ""hi"" "',
    f"2;Ida;{IDA.upper()};Zweimal;;;",
    "3;;;;;;",
    f"4;Rosa;{ROSA};Ké'nt;;;=1+1",
    f"5;Hannah;{GONE};Park;;;",
]
FILE = "\n".join(ROWS)


def start(user: User, content: bytes, name: str = "list.csv", **options: Any) -> Batch:
    choices = drafts.UploadChoices(ReadOptions(**options))
    return drafts.start_at_once(
        organisation=user.own_organisation, upload=SimpleUploadedFile(name, content), choices=choices
    )


def ask(api: APIClient, batch: Batch, **query: str) -> Any:
    return api.get(f"/api/validate/batch/{batch.public_id}/export", query)


def export(api: APIClient, batch: Batch, **query: str) -> list[list[str]]:
    answer = ask(api, batch, **query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")
    return list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8"), newline="")))


@pytest.mark.spec("REP-032")
@pytest.mark.parametrize("program", list(HEADERS))
def test_a_file_has_the_headers_of_the_program_and_the_safe_addresses(
    world: Sandbox, alice: User, alice_api: APIClient, program: str
) -> None:
    batch = start(alice, FILE.encode("cp1252"), email_column="3")
    header, *lines = export(alice_api, batch, format=program)
    tags, mail = ("Tags (2)" if program == "mailchimp" else "Tags"), "email"
    mail = "email (2)" if program in ("hubspot", "klaviyo", "brevo") else mail
    assert header == [*HEADERS[program], "Kundennr", tags, mail, "Notiz"]
    assert lines == [
        [IDA, "Ida", "Holm", "valid", "1", "a, b", "x", 'said "hi" '],
        [ROSA, "Rosa", "Ké'nt", "valid", "4", "", "", "'=1+1"],
    ]
    name = ask(alice_api, batch, format=program)["Content-Disposition"]
    assert f'filename="batch-list-{program}-safe-20' in name


@pytest.mark.spec("REP-032")
def test_other_segments_hold_their_addresses_once(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = start(alice, FILE.encode(), email_column="3")
    whole = export(alice_api, batch, format="brevo", segment="all")[1:]
    assert [line[:4] for line in whole] == [
        [IDA, "Ida", "Holm", "valid"],
        [ROSA, "Rosa", "Ké'nt", "valid"],
        [GONE, "Hannah", "Park", "invalid"],
    ]
    never = export(alice_api, batch, format="mailchimp", segment="do_not_send", formulas="raw")[1:]
    assert [line[0] for line in never] == [GONE]
    assert export(alice_api, batch, format="hubspot", segment="all", formulas="raw")[2][-1] == "=1+1"


@pytest.mark.spec("REP-032")
@pytest.mark.parametrize("kind", ["xlsx", "xls"])
def test_names_come_from_the_sheet_that_was_checked(
    world: Sandbox, alice: User, alice_api: APIClient, kind: str
) -> None:
    rows: list[list[object]] = [
        ["", "Nombre", "Correo", "Apellidos", "n"],
        ["", "Ida", IDA, "Holm", 12345678901],
        ["", "Rosa", ROSA, None, 1.5],
    ]
    write = {"xlsx": xlsx, "xls": xls}[kind]
    batch = start(alice, write({"Readme": [["x"]], "List": rows}), f"list.{kind}")
    found = export(alice_api, batch, format="klaviyo")
    assert found == [
        [*HEADERS["klaviyo"], "Column 1", "n"],
        [IDA, "Ida", "Holm", "valid", "", "12345678901"],
        [ROSA, "Rosa", "", "valid", "", "1.5"],
    ]


@pytest.mark.spec("REP-032")
def test_without_headers_names_stay_empty_and_other_columns_are_numbered(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    batch = start(alice, f"Ida,{IDA},x\nRosa,{ROSA}\n".encode())
    found = export(alice_api, batch, format="mailchimp")
    assert found == [
        [*HEADERS["mailchimp"], "Column 1", "Column 3"],
        [IDA, "", "", "valid", "Ida", "x"],
        [ROSA, "", "", "valid", "Rosa", ""],
    ]


@pytest.mark.spec("REP-032", "REP-006")
def test_a_typed_list_has_no_names_and_gives_the_addresses_that_were_checked(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    lines = [IDA, "+tag@harborquill.com", ROSA]
    batch = batches.start_list(organisation=alice.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    source = f"Ida Holm <{IDA}>"
    RepairedAddress.objects.create(batch=batch, position=1, source=source, source_key=source.lower(), kinds="name")
    found = export(alice_api, batch, format="hubspot", segment="all")
    assert [found[0], [line[:3] for line in found[1:]]] == [HEADERS["hubspot"], [[line, "", ""] for line in lines]]


@pytest.mark.spec("REP-032", "REP-006")
def test_several_addresses_of_a_row_are_lines_with_its_names(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    """Positions count `positions_a_row` for each row of the file."""
    batch = start(alice, f"first name,email,surname\nIda,{IDA},Holm\nRosa,{ROSA},Kent\n".encode())
    batch.results.filter(position=2).update(position=513)
    batch.results.filter(position=1).update(position=512)
    Batch.objects.update(positions_a_row=512)
    found = export(alice_api, batch, format="brevo", segment="all")
    assert [line[:3] for line in found[1:]] == [[IDA, "Ida", "Holm"], [ROSA, "Ida", "Holm"]]


@pytest.mark.spec("REP-032")
def test_a_removed_file_has_no_names_to_give(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    batch = start(alice, FILE.encode(), email_column="3")
    discard_file(batch)
    answer = ask(alice_api, batch, format="mailchimp")
    assert (answer.status_code, answer.json()["code"]) == (410, "EXPIRED")


@pytest.mark.spec("REP-032")
def test_a_segment_without_addresses_is_the_header(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("a@x.org", "invalid")])
    assert export(alice_api, batch, format="brevo") == [HEADERS["brevo"]]


@pytest.mark.spec("REP-032")
@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (["Email", "First Name", "Last Name"], (1, 2)),
        (["FIRSTNAME", "lastname", "mail"], (0, 1)),
        (["E-Mail", "Vorname", "Name"], (1, 2)),
        (["Name", "E-Mail"], (None, None)),
        (["Full name", "E-Mail"], (None, None)),
        (["Prénom", "NOM", "Courriel"], (0, 1)),
        (["Nombre", "Apellido"], (0, 1)),
        (["surname", "given_name"], (1, 0)),
        (["Voornaam", "Achternaam"], (0, 1)),
        (["Company", "Firma"], (None, None)),
    ],
)
def test_columns_of_names_are_known_in_many_languages(headers: list[str], found: tuple[int | None, int | None]) -> None:
    assert tuple(find_name_columns(headers)) == found
