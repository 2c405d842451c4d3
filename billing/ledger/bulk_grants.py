"""Credits that staff give to many accounts at once."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import models, transaction
from django.utils import timezone

from accounts.activity import actors
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.price_list import BONUS_LASTS
from billing.ledger import services as ledger
from billing.ledger.models import BulkGrant, LotKind
from billing.ledger.money_audit import load_figures, record_change
from emailcheck.common.errors import BadInput, Unprocessable

MOST_CREDITS = 1_000_000
MOST_ACCOUNTS = 1_000


@dataclass(frozen=True, slots=True)
class GrantRecipients:
    """Whom a list of addresses names; the other addresses are unknown, or came before."""

    users: list[User]
    not_found: list[str]
    duplicates: list[str]

    @property
    def left_out(self) -> list[str]:
        return [*self.not_found, *self.duplicates]


class GrantReason(models.TextChoices):
    BETA_TESTING = "beta_testing"
    CUSTOMER_SERVICE = "customer_service"
    EMERGENCY_TOPUP = "emergency_topup"
    PROMOTIONAL = "promotional"
    COMPENSATION = "compensation"


@transaction.atomic
def grant_to_accounts(
    *, staff: User, addresses: Sequence[str], credits: int, reason: GrantReason, reference: str
) -> BulkGrant:
    """Give each account `credits`, all or none of them; they last a year.

    Addresses that are unknown, or named twice, are left out and listed (ADM-306). The same `reference` gives the first
    answer again. Raises `BadInput` outside of the bounds, `Unprocessable` for a reference that was used for another
    grant; nothing moves then.
    """
    _check_bounds(addresses, credits)
    fingerprint = _hash_request(addresses, credits, reason)
    made, is_new = BulkGrant.objects.get_or_create(
        reference=reference,
        defaults={**actors.snapshot_actor(staff), "credits": credits, "reason": reason, "fingerprint": fingerprint},
    )
    if made.fingerprint != fingerprint:
        raise Unprocessable("This grant id was used for another grant.", code="IDEMPOTENCY_MISMATCH")
    if not is_new:
        return made
    found = _match_addresses(addresses)
    expires_at = timezone.now() + BONUS_LASTS
    for user in found.users:
        _grant_to_user(made, user.own_organisation, staff, expires_at)
    made.granted_count, made.not_found = len(found.users), found.left_out
    made.save(update_fields=["granted_count", "not_found"])
    return made


def preview_grant(*, addresses: Sequence[str], credits: int) -> GrantRecipients:
    """Whom a grant would reach, and whom not. Raises `BadInput` outside of the bounds."""
    _check_bounds(addresses, credits)
    return _match_addresses(addresses)


def _match_addresses(addresses: Sequence[str]) -> GrantRecipients:
    cleaned = [address.strip().lower() for address in addresses if address.strip()]
    # In one order, so that two grants never wait for each other in a circle.
    owners = User.objects.filter(email__in=cleaned, deleted_at=None, own_organisation__isnull=False)
    users = list(owners.select_related("own_organisation__holder").order_by("own_organisation"))
    known, seen = {user.email for user in users}, set[str]()
    not_found, duplicates = [], []
    for address in cleaned:
        if address in seen:
            duplicates.append(address)
        elif address not in known:
            not_found.append(address)
        seen.add(address)
    return GrantRecipients(users, not_found, duplicates)


def _grant_to_user(made: BulkGrant, organisation: Organisation, staff: User, expires_at: datetime) -> None:
    ledger.lock_account(organisation.pk)
    before = load_figures(organisation)
    ledger.grant_credits(
        organisation_id=organisation.pk,
        kind=LotKind.BONUS,
        amount=made.credits,
        reason=GrantReason(made.reason).label,
        key=f"bulk:{made.pk}:{organisation.pk}",
        expires_at=expires_at,
        reference=made.reference,
    )
    record_change(
        organisation,
        before,
        kind=ActivityKind.STAFF,
        action=f"{made.credits:,} credits added",
        staff=staff,
        target=f"user:{organisation.pk}",
        reason=made.reason,
    )


def _check_bounds(addresses: Sequence[str], credits: int) -> None:
    if type(credits) is not int or not 1 <= credits <= MOST_CREDITS:
        raise BadInput(f"Credits must be a whole number from 1 to {MOST_CREDITS:,}.", field="credits", value=credits)
    if not any(address.strip() for address in addresses):
        raise BadInput("Enter at least one address.", field="user_emails")
    if len(addresses) > MOST_ACCOUNTS:
        raise BadInput(f"At most {MOST_ACCOUNTS:,} addresses at once.", field="user_emails")


def _hash_request(addresses: Sequence[str], credits: int, reason: str) -> str:
    return hashlib.sha256(json.dumps([list(addresses), credits, reason]).encode()).hexdigest()
