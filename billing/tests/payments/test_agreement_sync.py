"""One process at a time brings an agreement at PayPal to what we want, and another goes on where it dies."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from billing.payments import agreement_sync
from billing.payments.models import Agreement, AgreementState
from emailcheck.common.testing import age_leases, drain_queue, run_sixteen
from tests import checkout
from tests.paypal import Buyer

pytestmark = pytest.mark.postgres


@pytest.fixture
def agreement(erin_api: APIClient, buyer: Buyer, clock: Any) -> Agreement:
    """An agreement that is to be suspended; PayPal does not know yet."""
    checkout.subscribe(erin_api, buyer)
    drain_queue()
    Agreement.objects.update(desired_state=AgreementState.SUSPENDED, sync_pending=True)
    return Agreement.objects.get()


def suspended(buyer: Buyer) -> int:
    """How often PayPal suspended it."""
    return buyer.kinds().count("BILLING.SUBSCRIPTION.SUSPENDED")


def stored() -> tuple[str, bool, str, int]:
    """What we know of the agreement, and its lease."""
    return Agreement.objects.values_list("state", "sync_pending", "lease", "attempts").get()


@pytest.mark.django_db(transaction=True)
@pytest.mark.xdist_group("threads")
def test_of_sixteen_syncs_at_once_one_asks_paypal(
    agreement: Agreement, buyer: Buyer, caplog: pytest.LogCaptureFixture
) -> None:
    buyer.control("trouble", kind="slow", path="/v1/billing/subscriptions", times=16, seconds=0.3)
    caplog.clear()
    run_sixteen(lambda _: agreement_sync.sync_agreement(agreement.pk))
    run_sixteen(lambda _: agreement_sync.sync_all_agreements())
    assert (stored(), suspended(buyer)) == (("suspended", False, "", 0), 1)
    calls = [record.getMessage() for record in caplog.records if record.name == "uvicorn.access"]
    assert sum("/v1/billing/subscriptions/" in call for call in calls) == 3  # how it is, to suspend it, how it is now


@pytest.mark.django_db
def test_what_a_dead_process_began_is_done_by_another_when_its_lease_is_over(
    agreement: Agreement, buyer: Buyer
) -> None:
    dead = agreement_sync._claim_agreement(agreement.pk)
    assert dead is not None
    agreement_sync.sync_agreement(agreement.pk)
    agreement_sync.sync_all_agreements()
    assert (stored(), suspended(buyer)) == (("active", True, dead.lease, 1), 0)
    age_leases(Agreement, agreement_sync.LEASE + timedelta(seconds=1))
    agreement_sync.sync_all_agreements()
    assert (stored(), suspended(buyer)) == (("suspended", False, "", 0), 1)
    agreement_sync._record_confirmed_state(dead, None)  # it was only slow, and found nothing there
    assert stored() == ("suspended", False, "", 0)


@pytest.mark.django_db
def test_a_failure_ends_the_lease_and_is_no_attempt(agreement: Agreement, buyer: Buyer) -> None:
    buyer.control("trouble", kind="unavailable", path="/v1/billing/subscriptions", times=3)
    agreement_sync.sync_agreement(agreement.pk)
    assert stored() == ("active", True, "", 0)
    agreement_sync.sync_agreement(agreement.pk)
    assert stored() == ("suspended", False, "", 0)


@pytest.mark.django_db
def test_what_is_asked_for_meanwhile_is_done_by_the_same_process(agreement: Agreement, buyer: Buyer) -> None:
    mine = agreement_sync._claim_agreement(agreement.pk)
    assert mine is not None
    remote = agreement_sync._push_changes(mine)
    Agreement.objects.update(desired_state=AgreementState.ACTIVE)
    agreement_sync._record_confirmed_state(mine, remote)
    assert stored() == ("active", True, mine.lease, 1)
    Agreement.objects.release(mine)
    agreement_sync.sync_agreement(agreement.pk)
    assert stored() == ("active", False, "", 0)
