"""What files say of each result beside its verdict, walked page by page."""

import pytest

from accounts.users.models import User
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.engine import Reason
from validation.exports import found_rows
from validation.results import evidence_facts
from validation.results.models import Evidence, Result
from validation.results.reasons import catalogue, texts

LINES = ["ida.holm@harborquill.com", "info@twolines.net", "anna.keller@gmial.com", "no address", "ida@web.de"]


@pytest.mark.spec("REP-027")
def test_flags_suggestions_and_mail_hosts_come_with_the_rows(
    world: Sandbox, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_rows, "PAGE_ROWS", 2)
    monkeypatch.setattr(evidence_facts, "_PAGES_AT_ONCE", 1)
    batch = batches.start_list(organisation=alice.own_organisation, lines=LINES, batch_type=BatchType.BULK_TEXTAREA)
    found = {row.email: row for row in found_rows.iterate_found(batch, "all")}
    assert list(found) == LINES
    assert {row.email: (row.is_role, row.is_free) for row in found.values()} == {
        LINES[0]: (False, False),
        LINES[1]: (True, False),
        LINES[2]: (False, False),
        LINES[3]: (None, None),
        LINES[4]: (False, True),
    }
    for result in Result.objects.filter(batch=batch):
        page, index = result.details
        _, did_you_mean, hosts = Evidence.objects.get(pk=page).rows["rows"][index][:3]
        row = found[result.email]
        assert (row.did_you_mean, row.mx_host) == (did_you_mean or "", hosts[0] if hosts else "")
    assert found[LINES[2]].did_you_mean == "anna.keller@gmail.com"
    assert found[LINES[0]].mx_host != found[LINES[4]].mx_host != ""


@pytest.mark.spec("REP-027")
def test_every_reason_has_its_sentence() -> None:
    listed = (*Reason, catalogue.NOT_CHECKED)
    told = {reason: texts.explain_reason(reason) for reason in listed}
    assert told["mailbox_not_found"] == "The mailbox does not exist."
    assert told[catalogue.NOT_CHECKED] == "The address was not checked: the credits did not suffice."
    assert len(set(told.values())) == len(Reason) + 1
    assert [text for text in told.values() if not text.endswith(".")] == []
    assert set(texts._TEXTS) == set(told)
    assert (texts.explain_reason("asked_elsewhere"), texts.explain_reason("")) == ("Asked elsewhere.", "")
