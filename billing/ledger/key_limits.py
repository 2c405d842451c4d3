"""How much an API key may spend a day."""

from django.db.models import Case, F, Sum, When
from django.utils import timezone

from accounts.access.models import ApiKey
from billing.ledger.models import CreditHold, HoldState
from emailcheck.common.errors import Refused


def check_daily_cap(*, key: ApiKey, amount: int) -> None:
    """Raises `Refused` (`KEY_CAP_EXCEEDED`) when a key would spend more than its cap since midnight UTC.

    Held credits count until they are released. The caller has locked the account, so that holds of one
    account are counted one after another.
    """
    if key.daily_credit_cap is None:
        return
    left = max(0, key.daily_credit_cap - _sum_spent_today(key))
    if amount > left:
        detail = f"This API key may spend {key.daily_credit_cap} credits a day and has {left} left; you need {amount}."
        raise Refused(detail, code="KEY_CAP_EXCEEDED")


def _sum_spent_today(key: ApiKey) -> int:
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    counted = Case(When(state=HoldState.OPEN, then=F("amount")), default=F("captured"))
    today = CreditHold.objects.filter(api_key=key, created_at__gte=midnight)
    return today.aggregate(total=Sum(counted))["total"] or 0
