"""The credits of an account as the API answers them."""

from django.db.models import OuterRef, QuerySet, Subquery

from accounts.organisations.models import Organisation
from billing.catalogue.price_tables import Json
from billing.ledger.balances import list_frozen_lots, list_spendable_lots
from billing.ledger.models import CreditEntry, CreditLot, EntryKind
from billing.subscriptions import entitlements
from billing.subscriptions.welcome_credits import choose_checks, load_welcome


def present_credits(organisation: Organisation) -> Json:
    """What the account can spend, by where it came from, and what it buys."""
    return (
        entitlements.build_account_summary(organisation)
        | _present_full_checks(organisation)
        | _present_lots(organisation)
    )


def _present_full_checks(organisation: Organisation) -> Json:
    """What a new account has left of its full checks, and which checks the next single check would run."""
    now = load_welcome(organisation)
    return {"welcome_credits": now.left, "welcome_ends_at": now.ends_at, "checks": choose_checks(organisation)}


def _present_lots(organisation: Organisation) -> Json:
    """The credits of an account by where they came from: what can be spent, and what is frozen while a plan rests."""
    if organisation.in_test_mode:
        return {"lots": (), "frozen_lots": ()}
    spendable, frozen = (
        list_spendable_lots(organisation_id=organisation.pk),
        list_frozen_lots(organisation_id=organisation.pk),
    )
    return {"lots": _annotate_origin(spendable), "frozen_lots": _annotate_origin(frozen)}


def _annotate_origin(found: QuerySet[CreditLot]) -> QuerySet[CreditLot]:
    brought = CreditEntry.objects.filter(lot=OuterRef("pk"), kind__in=[EntryKind.GRANT, EntryKind.TRANSFER])
    return found.annotate(origin=Subquery(brought.order_by("pk").values("reason")[:1]))
