"""The caps that a hold is counted against: of the key of a call, and of the member who is signed in."""

from accounts.access.models import ApiKey
from billing.ledger import key_limits, member_caps
from billing.ledger.member_caps import Spender
from billing.ledger.models import CreditHold


def is_capped(api_key: ApiKey | None, spender: Spender | None) -> bool:
    """Whether a hold of theirs needs `check_caps`."""
    return (api_key is not None and api_key.daily_credit_cap is not None) or (
        spender is not None and spender.cap is not None
    )


def check_caps(organisation_id: int, api_key: ApiKey | None, spender: Spender | None, amount: int, key: str) -> None:
    """Raises `Refused` (`KEY_CAP_EXCEEDED`, `MEMBER_CAP_EXCEEDED`) for a hold that is not there yet and exceeds one."""
    if CreditHold.objects.filter(key=key, organisation_id=organisation_id).exists():
        return
    if api_key is not None:
        key_limits.check_daily_cap(key=api_key, amount=amount)
    if spender is not None:
        member_caps.check_monthly_cap(organisation_id=organisation_id, spender=spender, amount=amount)
