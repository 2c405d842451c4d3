"""Free credits belong to a mailbox: once a month, however many accounts its owner creates or deletes.

Only a keyed hash of the mailbox is stored. Disposable mailboxes get none.
"""

from django.db.models import F, QuerySet
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.ledger.credit_months import Month
from billing.ledger.models import CreditedMailbox, LotKind
from emailcheck.common import registry, secrecy
from emailcheck.common.registry import Mailbox


def claim_monthly_credits(organisation: Organisation, month: Month) -> LotKind | None:
    """Take the free credits of a month for the account's mailbox, and answer of which kind they are.

    The first ones of a mailbox are its welcome, unless the account had one by another address. None when the mailbox
    had those of the month, or is a throw-away one. An organisation that was handed over goes on with the mailbox that
    it had, which gives no other organisation anything meanwhile.
    """
    now = timezone.now()
    own = CreditedMailbox.objects.filter(organisation_id=organisation.pk)
    welcomed = own.exclude(welcome_credits_at=None).exists()
    mine = _find_mailbox_before_transfer(organisation, own)
    if mine is None:
        mailbox = registry.above.find_mailbox(organisation.contact.email)
        if mailbox.disposable:
            return None
        mine, is_new = CreditedMailbox.objects.get_or_create(
            pk=_hash_mailbox(mailbox),
            defaults={"organisation_id": organisation.pk, "granted_until": month.ends_at, "welcome_credits_at": now},
        )
        if is_new:
            return LotKind.PLAN if welcomed else LotKind.WELCOME
    if _belongs_to_another(mine, organisation):
        return None
    free = CreditedMailbox.objects.filter(pk=mine.pk, granted_until__lte=month.starts_at)
    if not free.update(organisation_id=organisation.pk, granted_until=month.ends_at):
        return None
    never_had = CreditedMailbox.objects.filter(pk=mine.pk, welcome_credits_at=None)
    return LotKind.WELCOME if never_had.update(welcome_credits_at=now) and not welcomed else LotKind.PLAN


def _find_mailbox_before_transfer(organisation: Organisation, own: QuerySet[CreditedMailbox]) -> CreditedMailbox | None:
    """The mailbox with which an organisation had its latest free credits, where it is not with the account that it came
    with any more."""
    if organisation.pk == organisation.contact.pk:
        return None
    return own.order_by(F("granted_until").desc(nulls_last=True)).first()


def _belongs_to_another(mailbox: CreditedMailbox, organisation: Organisation) -> bool:
    """Whether another organisation, which is still there, has its free credits by the mailbox."""
    if mailbox.organisation_id in (None, organisation.pk):
        return False
    return Organisation.objects.filter(pk=mailbox.organisation_id).exists()


def claim_trial(organisation: Organisation) -> bool:
    """Take the one trial of the account's mailbox. False when it has had it, or is a throw-away one."""
    return _claim_once(organisation, "trial_at")


def claim_referral_bonus(organisation: Organisation) -> bool:
    """Take the one bonus of an invitation of the mailbox. False when it has had it, or is a throw-away one."""
    return _claim_once(organisation, "referral_bonus_at")


def forgo_trial(organisation: Organisation) -> None:
    """Trial and bonus are for newcomers: who got another organisation after the first one has none to come."""
    _claim_once(organisation, "trial_at")
    _claim_once(organisation, "referral_bonus_at")


def detach_mailboxes(organisation_id: int) -> None:
    """Forget whose account a mailbox belonged to, and keep that it has had its credits."""
    CreditedMailbox.objects.filter(organisation_id=organisation_id).update(organisation_id=None)


def _hash_mailbox(mailbox: Mailbox) -> str:
    return secrecy.keyed_hash(mailbox.canonical, purpose="mailbox")


def _claim_once(organisation: Organisation, column: str) -> bool:
    mailbox = registry.above.find_mailbox(organisation.contact.email)
    if mailbox.disposable:
        return False
    now = timezone.now()
    mine, is_new = CreditedMailbox.objects.get_or_create(
        pk=_hash_mailbox(mailbox), defaults={"organisation_id": organisation.pk, "granted_until": now, column: now}
    )
    return is_new or CreditedMailbox.objects.filter(pk=mine.pk, **{column: None}).update(**{column: now}) == 1
