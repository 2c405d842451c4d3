"""How much a member may use in a credit month, and what members have used."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, F, Q, QuerySet, Sum, When

from billing.ledger.models import CreditHold, HoldState
from emailcheck.common.errors import Refused

_COUNTED = Case(When(state=HoldState.OPEN, then=F("amount")), default=F("captured"))


@dataclass(frozen=True, slots=True)
class Spender:
    """A member who is signed in. `cap` is what they may use in the credit month that began at `since`; None: any
    number."""

    user_id: int
    cap: int | None = None
    since: datetime | None = None


def check_monthly_cap(*, organisation_id: int, spender: Spender, amount: int) -> None:
    """Raises `Refused` (`MEMBER_CAP_EXCEEDED`) when a member would use more than their cap in the credit month.

    Held credits count until they are released, in the month in which they were set aside. The caller has locked the
    account, so that holds of one account are counted one after another.
    """
    if spender.cap is None or spender.since is None:
        return
    holds = _list_holds(organisation_id, spender.since).filter(member=spender.user_id)
    used = holds.aggregate(total=Sum(_COUNTED))["total"] or 0
    if used + amount > spender.cap:
        detail = f"Your cap of {spender.cap:,} credits this month is used. Ask an owner or admin."
        raise Refused(detail, code="MEMBER_CAP_EXCEEDED")


def sum_member_credits(*, organisation_id: int, since: datetime) -> dict[int, int]:
    """What each member has set aside since then, less what was given back, by their number. Calls with keys count for
    nobody."""
    holds = _list_holds(organisation_id, since).filter(member__isnull=False)
    return dict(holds.order_by().values_list("member_id").annotate(total=Sum(_COUNTED)))


def _list_holds(organisation_id: int, since: datetime) -> QuerySet[CreditHold]:
    """Those made in the month that began then, whenever they are closed. That none was closed before is for the index,
    in which open ones have no `closed_at`."""
    at_all = CreditHold.objects.filter(Q(closed_at=None) | Q(closed_at__gte=since), organisation_id=organisation_id)
    return at_all.filter(created_at__gte=since)
