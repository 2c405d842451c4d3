"""The report of a list: one page, the figures of its page, and no address."""

from io import BytesIO
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from PIL import Image
from pypdf import PdfReader
from rest_framework.test import APIClient

from accounts.access.models import Scope
from accounts.keys import services as keys
from accounts.organisations.models import Organisation, OrganisationLogo
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from conftest import client_with
from emailcheck.common.testing import drain_queue
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.engine import Reason
from validation.reports import figures, pdf, wording
from validation.results.models import Category, Result
from validation.tests import stored
from validation.tests.team import add_member, client_in

LIST = [
    "ida.holm@harborquill.com", "rosa.kent@harborquill.com", "gone.hannah.park@twolines.net", "a@b", "a@b",
    "someone@not-in-this-world.com",
]  # fmt: skip
LOCAL_PARTS = [address.partition("@")[0] for address in LIST if len(address) > 5]


def path_of(batch: Batch) -> str:
    return f"/api/validate/batch/{batch.public_id}/report.pdf"


def read(api: APIClient, batch: Batch) -> PdfReader:
    answer = api.get(path_of(batch))
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf"), answer.content
    return PdfReader(BytesIO(answer.content))


def text_of(found: PdfReader) -> str:
    return " ".join(found.pages[0].extract_text().split())


@pytest.mark.spec("REP-033")
def test_a_report_has_the_figures_of_the_page_and_no_address(world: Sandbox, alice_api: APIClient) -> None:
    started = alice_api.post("/api/validate/bulk", {"emails": LIST}, format="json").json()
    batch = Batch.objects.get(public_id=started["batch_id"])
    page = alice_api.get(f"/api/validate/batch/{batch.public_id}").json()
    found = read(alice_api, batch)
    text = text_of(found)
    assert len(found.pages) == 1
    counts = [page[f"{category}_count"] for category in Category.values]
    assert (page["total_emails"], page["duplicates_removed"], sum(counts)) == (5, 1, 5)
    for words in (
        "EmailCheck", "Alice Alder", "Pasted list",
        f"Addresses 5 Duplicates removed 1 Credits used {page['credits_used']} Checks Full",
        "Mailbox exists 2 rows", "Not a usable address 1 row",
        "mx1.northbeam-mail.net 2 rows", "Recommendation 1. Send to the 2 addresses that are safe to send to: 40%",
    ):  # fmt: skip
        assert words in text, text
    safe, risky = page["safe_to_send_count"], page["risky_count"]
    advice = wording.write_advice(safe=safe, risky=risky, never=5 - safe - risky)
    assert text.count(" ".join(f"{number}. {line}" for number, line in enumerate(advice, start=1))) == 1
    assert len(advice) == 3
    for category, name in wording.CATEGORY_WORDS.items():
        count = page[f"{category}_count"]
        assert f"{name} {count} {100 * count // 5}%" in text
    assert ("@" in text, [part for part in LOCAL_PARTS if part in text]) == (False, [])


@pytest.mark.spec("REP-033")
def test_a_file_name_is_shown_without_an_address_in_it(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid")], filename="Kunden 東京 ida.holm@harborquill.com <b>.csv")
    found = read(alice_api, batch)
    assert "Kunden 東京 … <b>.csv" in text_of(found)
    assert "@" not in f"{text_of(found)}{found.metadata}"


@pytest.mark.spec("REP-033")
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "MPO"])
def test_the_organisation_puts_its_logo_on_it(alice: User, alice_api: APIClient, kind: str) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid")])
    assert "‹✓› EmailCheck" in text_of(read(alice_api, batch))
    picture, image = BytesIO(), Image.new("RGB", (400, 100), "#224488")
    image.save(picture, kind, **({"save_all": True, "append_images": [image]} if kind == "MPO" else {}))
    org = alice.own_organisation
    Organisation.objects.filter(pk=org.pk).update(name="Alder & Ash")
    OrganisationLogo.objects.create(organisation=org, media_type="image", content=picture.getvalue())
    found = read(alice_api, batch)
    assert ("Alder & Ash" in text_of(found), "‹✓› EmailCheck" in text_of(found)) == (True, False)
    assert [(one.image.size if one.image else None) for one in found.pages[0].images] == [(400, 100)]


@pytest.mark.spec("REP-033")
def test_only_finished_lists_with_results_have_one(alice: User, alice_api: APIClient) -> None:
    batch = stored.finished(alice, [("a@x.org", "valid")])
    for status in ("queued", "processing", "paused", "cancelled", "failed"):
        Batch.objects.update(status=status)
        answer = alice_api.get(path_of(batch))
        assert (answer.status_code, answer.json()["code"]) == (409, "NOT_COMPLETED")
    Batch.objects.update(status="completed", expired_at=batch.completed_at)
    answer = alice_api.get(path_of(batch))
    assert (answer.status_code, answer.json()["message"]) == (410, figures.EXPIRED)


@pytest.mark.spec("REP-033", "ORG-022")
def test_a_report_is_for_who_may_read_and_download(alice: User, bob_api: APIClient) -> None:
    org, batch = alice.own_organisation, stored.finished(alice, [("a@x.org", "valid")])
    viewer = client_in(org, add_member(org, OrganisationRole.VIEWER))
    billing = client_in(org, add_member(org, OrganisationRole.BILLING))
    key = client_with(keys.create_key(organisation=org, maker=alice, name="Shop", scopes=[Scope.READ])[1])
    assert [one.get(path_of(batch)).status_code for one in (viewer, billing, key, bob_api)] == [200, 403, 200, 404]
    Organisation.objects.filter(pk=org.pk).update(viewers_may_download=False)
    assert [one.get(path_of(batch)).status_code for one in (viewer, key)] == [403, 200]


def test_a_second_verdict_counts_once_at_its_host(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    started = alice_api.post("/api/validate/bulk", {"emails": LIST}, format="json").json()
    batch = Batch.objects.get(public_id=started["batch_id"])
    before = figures.load_figures(batch)
    answer = alice_api.post(f"/api/validate/batch/{batch.public_id}/recheck")
    assert answer.status_code == 200, answer.content
    drain_queue()
    batch.refresh_from_db()
    after = figures.load_figures(batch)
    assert dict(after.hosts)["mx1.northbeam-mail.net"] == dict(before.hosts)["mx1.northbeam-mail.net"] == 2


def test_the_queries_of_a_report_do_not_grow_with_the_list(alice: User) -> None:
    numbers = []
    for rows in (10, 40):
        batch = stored.finished(alice, [(f"a{number}@x{number}.org", "valid") for number in range(rows)])
        with CaptureQueriesContext(
            connection,
        ) as queries:
            pdf.render_report(figures.load_figures(batch), organisation=alice.own_organisation)
        numbers.append(len(queries))
    assert numbers == [4, 4]


def test_every_reason_and_category_has_its_words() -> None:
    assert set(wording.REASON_WORDS) == set(Reason)
    assert set(wording.CATEGORY_WORDS) == set(Category.values)
    assert wording.format_reason("asked_elsewhere") == "Asked elsewhere"


@pytest.mark.parametrize(
    ("counts", "lines"),
    [
        ({"safe": 0, "risky": 0, "never": 0}, [
            "No address of this list is safe to send to.", "No address is risky: nothing has to be tried out first.",
            "No address has to be taken off the list.",
        ]),
        ({"safe": 1, "risky": 1, "never": 2}, [
            "Send to the 1 address that is safe to send to: 25% of the list.",
            "Send to the 1 address that is risky only in small numbers, and watch what bounces.",
            "Take the 2 addresses off the list that should not be sent to, before your next mailing.",
        ]),
    ],
)  # fmt: skip
def test_advice_is_three_lines(counts: Any, lines: list[str]) -> None:
    assert wording.write_advice(**counts) == lines


def test_a_full_page_stays_one_page(alice: User, alice_api: APIClient) -> None:
    rows = [(f"a{number}@x{number}.org", "invalid") for number in range(30)]
    batch = stored.finished(alice, rows, filename="w" * 255)
    for number, reason in enumerate(Reason):
        Result.objects.filter(batch=batch, position=number + 1).update(reason=reason)
    found = read(alice_api, batch)
    assert len(found.pages) == 1
    assert text_of(found).count(" row ") + text_of(found).count(" rows ") >= 10
