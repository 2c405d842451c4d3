"""What an account can spend, and what is frozen or past its date: reading only."""

from django.db.models import F, Q, QuerySet, Sum
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.ledger.models import CreditAccount, CreditLot


def list_due_lots() -> QuerySet[CreditLot]:
    """Lots past their date that have not been written off."""
    return CreditLot.objects.filter(remaining__gt=0, expires_at__lte=timezone.now())


def list_spendable_lots(*, organisation_id: int) -> QuerySet[CreditLot]:
    """The lots with credits left, in the order in which they are spent."""
    now = timezone.now()
    return CreditLot.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=now), organisation_id=organisation_id, remaining__gt=0
    ).order_by(F("expires_at").asc(nulls_last=True), "id")


def sum_credits_by_kind(organisation: Organisation) -> dict[str, int]:
    """The spendable credits by the kind of their lots, in the order in which the kinds are spent."""
    sums: dict[str, int] = {}
    for kind, remaining in list_spendable_lots(organisation_id=organisation.pk).values_list("kind", "remaining"):
        sums[kind] = sums.get(kind, 0) + remaining
    return sums


def count_frozen_credits(*, organisation_id: int) -> int:
    """Credits of a paused plan, out of the balance until it goes on."""
    return CreditLot.objects.filter(organisation_id=organisation_id).aggregate(total=Sum("frozen"))["total"] or 0


def list_frozen_lots(*, organisation_id: int) -> QuerySet[CreditLot]:
    """The lots that are frozen credits of a paused plan, in the order in which they will be spent."""
    return CreditLot.objects.filter(organisation_id=organisation_id, frozen__gt=0).order_by("expires_at", "id")


def count_all_credits() -> int:
    """What all accounts together can spend."""
    return CreditAccount.objects.aggregate(total=Sum("balance"))["total"] or 0
