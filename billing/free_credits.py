"""Free credits belong to a mailbox: once a month each, whatever accounts its owner makes or deletes.

Only a keyed hash of the mailbox is kept. What `+tags`, dots at Gmail and the like make of one mailbox is one mailbox.
"""

from django.utils import timezone

from accounts.models import User
from billing.models import FreeMailbox
from billing.months import Month
from emailcheck.common import registry, sealing

NOBODY = 0
_SAME_DOMAIN = {"googlemail.com": "gmail.com"}
_DOTS_DO_NOT_COUNT = frozenset({"gmail.com"})


def claim_month(user: User, month: Month) -> bool:
    """Take the free credits of a month for the account's mailbox. False when it had them, or is a throw-away one."""
    if registry.is_disposable(_domain(user.email)):
        return False
    mine, is_new = FreeMailbox.objects.get_or_create(
        mailbox=_key(user.email), defaults={"user_id": user.pk, "granted_until": month.ends_at}
    )
    if is_new:
        return True
    if mine.user_id != user.pk and User.objects.filter(pk=mine.user_id).exists():
        return False
    free = FreeMailbox.objects.filter(pk=mine.pk, granted_until__lte=month.starts_at)
    return free.update(user_id=user.pk, granted_until=month.ends_at) == 1


def detach(user_id: int) -> None:
    """Forget whose account a mailbox belonged to, and keep that it has had its credits."""
    FreeMailbox.objects.filter(user_id=user_id).update(user_id=NOBODY)


def claim_trial(user: User) -> bool:
    """Take the one trial of the account's mailbox. False when it has had it, or is a throw-away one."""
    if registry.is_disposable(_domain(user.email)):
        return False
    now = timezone.now()
    mine, is_new = FreeMailbox.objects.get_or_create(
        mailbox=_key(user.email), defaults={"user_id": user.pk, "granted_until": now, "trial_at": now}
    )
    return is_new or FreeMailbox.objects.filter(pk=mine.pk, trial_at=None).update(trial_at=now) == 1


def mailbox_of(address: str) -> str:
    """The mailbox behind an address, so that two spellings of it are the same."""
    local, _, domain = address.lower().rpartition("@")
    domain = _SAME_DOMAIN.get(domain, domain)
    local = local.partition("+")[0] or local
    if domain in _DOTS_DO_NOT_COUNT:
        local = local.replace(".", "")
    return f"{local}@{domain}"


def _key(address: str) -> str:
    return sealing.keyed_hash(mailbox_of(address), purpose="billing.free_credits")


def _domain(address: str) -> str:
    return address.rpartition("@")[2].lower()
