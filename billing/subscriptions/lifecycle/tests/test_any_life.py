"""Whatever a customer, the bank and time do, in whatever order: the books agree and nothing is charged twice."""

import os
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from random import Random

import pytest
from django.utils import timezone

from billing.payments.models import Agreement
from tests.subscriber import Subscriber

STEPS = 14
LIVES = int(os.environ.get("LIVES", "4"))  # the same in every run; more of them in `make soak`
# The dearest credits are those of an upgrade from Starter to Growth: 5,000 for 30 USD; days are rounded.
MOST_PER_USD, ROUNDED = 170, 2_000


def change(nora: Subscriber, random: Random) -> None:
    body = {"new_plan_id": random.choice(["starter", "growth", "pro"]), "billing_cycle": "monthly"}
    body["billing_cycle"] = random.choice(["monthly", "monthly", "yearly"])
    status, answer = nora.call("plan-change", **body)
    if answer.get("code") == "PAYMENT_REQUIRED":
        status, answer = nora.call("plan-change/create-payment", **body)
    if status == 200 and answer["approval_url"]:
        nora.approve(answer["approval_url"], random.choice(["pay", "pay", "cancel", "decline"]))


def keep(nora: Subscriber, random: Random) -> None:
    status, answer = nora.call("reactivate")
    if status == 200 and answer["approval_url"]:
        nora.approve(answer["approval_url"], random.choice(["pay", "cancel"]))


def bank(nora: Subscriber, random: Random) -> None:
    running = Agreement.objects.filter(ended_at=None).last()
    if running:
        nora.buyer.control(f"subscriptions/{running.provider_id}", action=random.choice(["fail", "recover"]))


def wait(nora: Subscriber, random: Random) -> None:
    moment = timezone.now() + timedelta(days=random.choice([1, 3, 6, 11, 20, 31, 45]), hours=random.randrange(24))
    nora.pass_to(f"{moment:%Y-%m-%dT%H:%M}")


def verb(name: str) -> Callable[[Subscriber, Random], object]:
    return lambda nora, random: nora.call(name)


def undo(nora: Subscriber, random: Random) -> None:
    nora.undo()


DEEDS: list[Callable[[Subscriber, Random], object]] = [
    change, change, keep, bank, wait, wait, wait, verb("pause"), verb("pause"), verb("resume"), verb("cancel"),
    undo,
]  # fmt: skip


@pytest.mark.spec("SUB-050", "SUB-052", "SUB-070")
@pytest.mark.parametrize("seed", range(LIVES))
def test_whatever_happens_the_books_agree(nora: Subscriber, seed: int) -> None:
    random = Random(seed)
    nora.subscribe(random.choice(["starter", "growth"]), random.choice(["monthly", "yearly"]))
    for _ in range(STEPS):
        random.choice(DEEDS)(nora, random)
        assert [state for state, _ in nora.running()].count("ACTIVE") <= 1
        nora.check()
    wait(nora, random)
    nora.check()
    granted = sum(amount for _, amount in nora.grants() if amount != 100)
    paid = sum(Decimal(amount) for _, amount in nora.charges())
    assert 0 < granted <= paid * MOST_PER_USD + ROUNDED
