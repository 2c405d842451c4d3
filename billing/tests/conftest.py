"""Who lives through the life of a subscription."""

from collections.abc import Iterator

import pytest
import time_machine

from billing.models import Plan
from conftest import make_user
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber


@pytest.fixture
def erin(db: None, buyer: Buyer) -> Iterator[Subscriber]:
    """On Free, on the 31st of January 2030."""
    with time_machine.travel(NOW, tick=False) as clock:
        yield Subscriber(make_user("erin@elm.org", "Erin Elm", plan=Plan.FREE), buyer, clock)
