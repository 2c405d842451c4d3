"""Free credits of organisations that were handed over: they go on, and nobody gets more than before."""

from datetime import UTC, datetime

import pytest
import time_machine

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.team import transfers
from accounts.users.models import User
from billing import tasks
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditedMailbox, CreditEntry, EntryKind
from billing.subscriptions import services as subscriptions
from conftest import make_user
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.django_db
START = datetime(2026, 1, 10, 8, tzinfo=UTC)


def hand_over(organisation: Organisation, giver: User, receiver: User) -> None:
    values = {"organisation": organisation, "user": receiver}
    member = Membership.objects.get_or_create(**values, defaults={"role": OrganisationRole.MEMBER})[0]
    transfers.offer_organisation(organisation=organisation, giver=giver, member_id=member.pk)
    transfers.accept_transfer(organisation=organisation, receiver=receiver)


def own(user: User) -> Organisation:
    return Organisation.objects.get(holder=user)


def grants(organisation: Organisation) -> list[tuple[str, int]]:
    entries = CreditEntry.objects.filter(organisation=organisation, kind=EntryKind.GRANT).order_by("pk")
    return [(f"{entry.lot.kind} {entry.created_at:%d.%m.}", entry.amount) for entry in entries]


@pytest.mark.spec("ORG-015", "ORG-014", "PRC-027")
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_free_credits_go_on_where_ownership_passes_and_nobody_gets_more(order: tuple[int, ...]) -> None:
    with time_machine.travel(START, tick=False) as clock:
        cee, dee = (make_user(f"{name}@nettle.org", name, plan=Plan.FREE) for name in ("cee", "dee"))
        handed = own(cee)
        clock.move_to("2026-01-20T08:00:00Z", tick=False)
        hand_over(handed, cee, dee)
        all_three = [handed, own(cee), own(dee)]
        for now in ("2026-02-12T08:00:00Z", "2026-03-12T08:00:00Z"):
            clock.move_to(now, tick=False)
            for number in (*order, *order):
                subscriptions.renew_credits(organisation_id=all_three[number].pk)
            tasks.keep_time()
    months = [("welcome 10.01.", 100), ("plan 12.02.", 100), ("plan 12.03.", 100)]
    assert [grants(one) for one in all_three] == [months, [], months]
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ORG-015")
def test_they_go_on_when_it_passes_on_and_back() -> None:
    with time_machine.travel(START, tick=False) as clock:
        cee, dee = (make_user(f"{name}@nettle.org", name, plan=Plan.FREE) for name in ("cee", "dee"))
        handed = own(cee)
        hand_over(handed, cee, dee)
        clock.move_to("2026-02-12T08:00:00Z", tick=False)
        tasks.keep_time()
        hand_over(handed, dee, cee)
        assert not subscriptions.renew_credits(organisation_id=handed.pk)
        clock.move_to("2026-03-12T08:00:00Z", tick=False)
        tasks.keep_time()
    months = [("welcome 10.01.", 100), ("plan 12.02.", 100), ("plan 12.03.", 100)]
    assert (grants(handed), grants(own(dee)), grants(own(cee))) == (months, months, [])


@pytest.mark.spec("ORG-015", "PRC-027")
def test_the_mailbox_of_the_new_owner_is_left_to_their_own_organisation() -> None:
    with time_machine.travel(START, tick=False) as clock:
        cee, dee = make_user("cee@nettle.org", "Cee", plan=Plan.FREE), make_user("dee@mailinator.com", "Dee")
        handed = own(cee)
        hand_over(handed, cee, dee)
        assert list(CreditedMailbox.objects.values_list("organisation_id", flat=True)) == [handed.pk]
        clock.move_to("2026-02-12T08:00:00Z", tick=False)
        tasks.keep_time()
        assert grants(handed) == [("welcome 10.01.", 100), ("plan 12.02.", 100)]
        User.objects.filter(pk=dee.pk).update(email="dee@nettle.org")
        clock.move_to("2026-03-12T08:00:00Z", tick=False)
        tasks.keep_time()
    assert grants(handed)[2:] == [("plan 12.03.", 100)]
    assert list(CreditedMailbox.objects.values_list("organisation_id", flat=True)) == [handed.pk]


@pytest.mark.spec("ORG-015")
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_sixteen_renewals_at_once_of_what_was_handed_over_grant_once() -> None:
    with time_machine.travel(START, tick=False) as clock:
        cee, dee = (make_user(f"{name}@nettle.org", name, plan=Plan.FREE) for name in ("cee", "dee"))
        handed = own(cee)
        hand_over(handed, cee, dee)
        clock.move_to("2026-02-12T08:00:00Z", tick=False)
        all_three = [handed, own(cee), own(dee)]
        answers = run_sixteen(lambda number: subscriptions.renew_credits(organisation_id=all_three[number % 3].pk))
    assert [sum(answers[number::3]) for number in range(3)] == [1, 0, 1]
    assert [len(grants(one)) for one in all_three] == [2, 0, 2]
    assert ledger.reconcile_ledger() == []
