"""Two calls about one upload: what the first one did to its files meets what the second one still knows of them."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.ledger.models import CreditHold
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import run_sixteen
from tests.world import Sandbox
from validation.batches.models import Batch
from validation.batches.uploads import drafts
from validation.batches.uploads.models import Upload
from validation.batches.uploads.tests.test_repairs import review
from validation.batches.uploads.tests.test_uploads import LIVING, send

KNOWN = "\n".join(LIVING).encode()


def load(user: User, url: str) -> Upload:
    """The upload as a call finds it at its beginning."""
    return drafts.load_upload(user.own_organisation, url.rpartition("/")[2])


def review_known(api: APIClient) -> str:
    """An upload whose addresses were all checked before."""
    api.post("/api/validate/bulk", {"emails": LIVING}, format="json")
    body = send(api, KNOWN, reuse_days="30").json()
    assert body["known"]["count"] == len(LIVING)
    return f"/api/validate/upload/{body['upload_id']}"


@pytest.mark.spec("REP-005", "REP-009")
def test_repairs_of_a_started_upload_are_refused(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    url, _ = review(alice_api)
    early = load(alice, url)
    alice_api.post(f"{url}/start")
    answer = alice_api.get(f"{url}/repairs")
    assert (answer.status_code, answer.json()["code"]) == (409, "CONFLICT")
    with pytest.raises(Conflict):
        drafts.page_repairs(upload=early, kind=None, cursor="", size=10)


@pytest.mark.spec("REP-005")
def test_a_page_of_repairs_is_that_of_the_newest_review(alice: User, alice_api: APIClient) -> None:
    url, _ = review(alice_api)
    early = load(alice, url)
    alice_api.put(url, {"repair": True, "undo_repairs": [1]}, format="json")
    page = drafts.page_repairs(upload=early, kind=None, cursor="", size=10)
    assert [(finding.row, finding.applied) for finding in page.findings][:2] == [(1, False), (2, True)]


@pytest.mark.spec("REP-044")
@pytest.mark.django_db
def test_a_second_start_of_known_addresses_answers_the_first_list(
    world: Sandbox, alice: User, alice_api: APIClient
) -> None:
    url = review_known(alice_api)
    early = load(alice, url)
    first = alice_api.post(f"{url}/start").json()
    assert drafts.start_upload(upload=early).public_id == first["batch_id"]
    assert (Batch.objects.count(), CreditHold.objects.count()) == (2, 1)


@pytest.mark.spec("REP-044")
@pytest.mark.django_db(transaction=True)
def test_sixteen_starts_of_known_addresses_make_one_list(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    url = review_known(alice_api)
    early = load(alice, url)
    started: list[Any] = run_sixteen(lambda _: drafts.start_upload(upload=early).public_id)
    assert len(set(started)) == 1
    assert Batch.objects.count() == 2


@pytest.mark.spec("REP-044")
def test_a_start_after_another_review_takes_the_newest(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    url = review_known(alice_api)
    early = load(alice, url)
    alice_api.put(url, {"reuse_days": 29}, format="json")
    assert drafts.start_upload(upload=early).reused_count == len(LIVING)
