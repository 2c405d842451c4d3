"""Whatever is sent, the API answers as its description says, and never with a fault of its own."""

from itertools import cycle
from typing import Any

import pytest

from accounts.keys import services as keys
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from tests import fuzz
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.models import BatchType
from validation.results.ids import write_result_id


@pytest.fixture
def callers(alice: User, sam: User, settings: Any) -> fuzz.Callers:
    settings.SITE_REQUESTS_PER_MINUTE = settings.AUTH_REQUESTS_PER_MINUTE = 1_000_000
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.ENTERPRISE)
    both = cycle(
        [
            keys.create_key(organisation=alice.own_organisation, maker=alice, name=str(test), test=test)[1]
            for test in (True, False)
        ]
    )
    return fuzz.Callers(
        key=lambda: next(both),
        staff=lambda: start_sign_in(user=sam, device="fuzz").access,
        person=lambda: start_sign_in(user=alice, device="fuzz").access,
    )


@pytest.fixture
def ids(world: Sandbox, alice: User) -> dict[str, Any]:
    """Path parameters of a list and a result of Alice."""
    batch = batches.start_list(
        organisation=alice.own_organisation, lines=["no@at@all"], batch_type=BatchType.BULK_TEXTAREA
    )
    return {"batch_id": batch.public_id, "result_id": write_result_id(batch.results.get().pk)}


@pytest.mark.usefixtures("buyer")
@pytest.mark.spec("DOC-028", "DOC-031", "DOC-033")
@pytest.mark.parametrize("contract", [False, True], ids=["everything", "the contract"])
def test_answers_are_as_described(callers: fuzz.Callers, ids: dict[str, Any], contract: bool) -> None:
    cases = fuzz.budget()
    found = fuzz.run(callers, cases=cases, ids=ids, contract=contract)
    assert found.wrong == {}, f"{found.cases} calls: {sorted(found.statuses.items())}"
    assert found.cases >= cases / 2
    assert found.statuses[200] > 0
