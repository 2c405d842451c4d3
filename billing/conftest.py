"""Erin, who buys: on Free, at a time that is PayPal's too."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Plan
from conftest import client_of, make_user
from tests.paypal import NOW, Buyer
from tests.subscriber import Subscriber


@pytest.fixture
def clock() -> Iterator[Any]:
    """Our clock shows the same time as PayPal's."""
    with time_machine.travel(NOW, tick=False) as found:
        yield found


@pytest.fixture
def erin(db: None, buyer: Buyer, clock: Any) -> User:
    return make_user("erin@elm.org", "Erin Elm", plan=Plan.FREE)


@pytest.fixture
def erin_api(erin: User) -> APIClient:
    return client_of(erin)


@pytest.fixture
def nora(db: None, buyer: Buyer, clock: Any) -> Subscriber:
    """She lives through months of a subscription, from the 31st of January 2030 on."""
    return Subscriber(make_user("nora@nettle.org", "Nora Nettle", plan=Plan.FREE), buyer, clock)
