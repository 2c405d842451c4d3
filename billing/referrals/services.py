"""Referrals: who came by whose link, and what both get for it.

A friend counts once the address is confirmed; until then nobody may learn that the account exists. The reward comes
with the friend's first payment for a plan, stays as long as that payment does, and can be earned again by a later one.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.organisations.models import Organisation
from billing.catalogue.price_list import BONUS_LASTS, REFERRAL_BONUS, REFERRAL_REWARD
from billing.ledger import free_credits
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.payments.models import Payment, PaymentKind
from billing.referrals.emails import send_referral_converted
from billing.referrals.models import Referral, ReferralCode, ReferralState
from emailcheck.common import registry
from emailcheck.common.api import pagination

PAGE_ROWS = 50
# Packs do not count (REF-012).
_CONVERTING = frozenset({PaymentKind.SUBSCRIPTION, PaymentKind.PLAN_CHANGE, PaymentKind.RENEWAL, PaymentKind.QUOTE})


@dataclass(frozen=True, slots=True)
class ReferralStats:
    """What a code has brought: friends, of whom `successful_referrals` pay; `conversion_rate` in percent."""

    referral_code: str
    total_referrals: int
    successful_referrals: int

    @property
    def credits_earned(self) -> int:
        return self.successful_referrals * REFERRAL_REWARD

    @property
    def pending_credits(self) -> int:
        return (self.total_referrals - self.successful_referrals) * REFERRAL_REWARD

    @property
    def conversion_rate(self) -> float:
        return round(100 * self.successful_referrals / self.total_referrals, 1) if self.total_referrals else 0.0


def ensure_code(organisation: Organisation) -> str:
    """The referral code of an account, created on first use."""
    return ReferralCode.objects.get_or_create(organisation=organisation)[0].code


def is_known_code(code: str) -> bool:
    """Whether a code belongs to an open account."""
    return _find_referrer(code) is not None


def record_referral(*, friend: Organisation, code: str) -> bool:
    """Remember by whose link a new account came. False for an unknown code, or one's own mailbox under another name."""
    referrer = _find_referrer(code)
    if referrer is None or _is_same_mailbox(referrer, friend):
        return False
    return Referral.objects.get_or_create(friend=friend, defaults={"referrer": referrer})[1]


@transaction.atomic
def grant_welcome_bonus(*, friend: Organisation) -> bool:
    """Give the friend the bonus, once the address is confirmed. False when there is none, or the mailbox had it."""
    mine = Referral.objects.select_for_update().filter(friend=friend, referral_bonus_at=None).first()
    if mine is None or not free_credits.claim_referral_bonus(friend):
        return False
    mine.referral_bonus_at = timezone.now()
    mine.save(update_fields=["referral_bonus_at"])
    return ledger.grant_credits(
        organisation_id=friend.pk,
        kind=LotKind.BONUS,
        amount=REFERRAL_BONUS,
        reason="Bonus for coming by a friend's link",
        key=f"referral:welcome:{mine.pk}",
        expires_at=mine.referral_bonus_at + BONUS_LASTS,
    )


@transaction.atomic
def reward_referrer(*, payment: Payment) -> bool:
    """Reward the referrer of a customer, with the first payment for a plan. False when there is nothing to reward."""
    if payment.kind not in _CONVERTING or not payment.amount:
        return False
    mine = _lock_referral(friend_id=payment.organisation_id, state=ReferralState.PENDING)
    if mine is None:
        return False
    now = timezone.now()
    mine.state, mine.payment, mine.converted_at = ReferralState.CONVERTED, payment, now
    mine.save(update_fields=["state", "payment", "converted_at"])
    ledger.grant_credits(
        organisation_id=mine.referrer_id,
        kind=LotKind.BONUS,
        amount=REFERRAL_REWARD,
        reason="A friend whom you brought has a plan",
        key=_build_reward_key(mine),
        expires_at=now + BONUS_LASTS,
    )
    send_referral_converted(referral=mine, balance=ledger.lock_account(mine.referrer_id).balance)
    return True


@transaction.atomic
def take_back_reward(*, payment: Payment) -> bool:
    """Take the reward back with the payment that earned it. False when it earned none, or was taken back before."""
    mine = _lock_referral(payment=payment, state=ReferralState.CONVERTED)
    if mine is None:
        return False
    key = _build_reward_key(mine)
    mine.state, mine.payment, mine.converted_at = ReferralState.PENDING, None, None
    mine.save(update_fields=["state", "payment", "converted_at"])
    return ledger.claw_back_credits(
        organisation_id=mine.referrer_id,
        amount=REFERRAL_REWARD,
        reason="The payment of the friend was given back",
        key=f"{key}:back",
        granted_by=key,
    )


def compute_stats(organisation: Organisation) -> ReferralStats:
    """How the referrals of an account stand."""
    counts = _list_confirmed(organisation).aggregate(
        total=Count("pk"), converted=Count("pk", filter=Q(state=ReferralState.CONVERTED))
    )
    return ReferralStats(ensure_code(organisation), counts["total"], counts["converted"])


def list_activities(organisation: Organisation, *, cursor: str = "") -> tuple[list[dict[str, Any]], str | None]:
    """A page of the friends of an account, newest first, and the cursor of the next one.

    Raises `BadInput` for a cursor that is not ours.
    """
    rows, after = pagination.page_newest(
        _list_confirmed(organisation).select_related("friend"), size=PAGE_ROWS, cursor=cursor
    )
    return [_present_activity(row) for row in rows], after


def mask_address(address: str) -> str:
    """An address with only its first letter and domain: `j***@example.com`."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}***@{domain}"


def _present_activity(row: Referral) -> dict[str, Any]:
    converted = row.state == ReferralState.CONVERTED
    return {
        "id": row.pk,
        "referee_name": next(iter(row.friend.contact.name.split()), None),
        "referee_email": mask_address(row.friend.contact.email),
        "status": row.state,
        "credits_awarded": REFERRAL_REWARD if converted else 0,
        "created_at": row.created_at,
        "converted_at": row.converted_at,
    }


def _list_confirmed(organisation: Organisation) -> QuerySet[Referral]:
    """The friends with a confirmed address; an unconfirmed one may be somebody else's, typed by a guesser."""
    return Referral.objects.filter(referrer=organisation, friend__holder__email_verified_at__isnull=False)


def _lock_referral(**which: Any) -> Referral | None:
    return Referral.objects.select_for_update().filter(**which).first()


def _build_reward_key(referral: Referral) -> str:
    return f"referral:reward:{referral.pk}:{referral.payment_id}"


def _find_referrer(code: str) -> Organisation | None:
    if not code:
        return None
    found = (
        ReferralCode.objects.select_related("organisation")
        .filter(code=code.strip().upper(), organisation__is_active=True)
        .first()
    )
    return found.organisation if found else None


def _is_same_mailbox(one: Organisation, other: Organisation) -> bool:
    return (
        registry.above.find_mailbox(one.contact.email).canonical
        == registry.above.find_mailbox(other.contact.email).canonical
    )
