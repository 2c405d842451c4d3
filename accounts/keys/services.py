"""API keys: created, changed and revoked in their organisation."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from accounts.access.authentication import LIVE_PREFIX, TEST_PREFIX, cut_prefix, generate_key_text
from accounts.access.models import ApiKey, ApiKeyQuerySet, Scope
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.keys.emails import send_key_created
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLES_OF, Right
from accounts.users.models import User
from emailcheck.common.errors import BadInput, NotFound
from emailcheck.common.secrecy import hash_secret

MOST_KEYS = 50


@transaction.atomic
def create_key(
    *,
    organisation: Organisation,
    maker: User,
    name: str,
    scopes: Sequence[str] = (Scope.READ, Scope.WRITE),
    expires_at: datetime | None = None,
    daily_credit_cap: int | None = None,
    allowed_ips: Sequence[str] = (),
    test: bool = False,
) -> tuple[ApiKey, str]:
    """Create a key. Returns it with its full text, which is not stored.

    Raises `BadInput` for an expiry in the past, or beyond `MOST_KEYS` live keys.
    """
    # Keys of one organisation are counted and made one after another.
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    if ApiKey.objects.for_org(organisation).live().count() >= MOST_KEYS:
        raise BadInput(f"You have {MOST_KEYS} API keys. Revoke one before you create another.", code="TOO_MANY_KEYS")
    _require_future_end(expires_at)
    text = generate_key_text(TEST_PREFIX if test else LIVE_PREFIX)
    key = ApiKey.objects.create(
        organisation=organisation,
        maker=maker,
        name=name,
        prefix=cut_prefix(text),
        key_hash=hash_secret(text),
        scopes=list(scopes),
        expires_at=expires_at,
        daily_credit_cap=daily_credit_cap,
        allowed_ips=list(allowed_ips),
    )
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.KEY,
        action=f"API key {key.prefix} was created",
        target=key.prefix,
        changes=audit_log.compare_values({"scopes": []}, {"scopes": key.scopes}),
    )
    send_key_created(key=key)
    return key, text


@transaction.atomic
def update_key(*, organisation: Organisation, key_id: int, **changes: Any) -> ApiKey:
    """Change name, scopes, end, daily cap or addresses of a key; what is not named stays.

    Raises `NotFound` for an unknown, foreign or revoked key, `BadInput` for an end in the past.
    """
    key = _load_own_key(organisation, key_id)
    if "expires_at" in changes:
        _require_future_end(changes["expires_at"])
    before = {field: getattr(key, field) for field in changes}
    for field, value in changes.items():
        setattr(key, field, value)
    if changes:
        key.save(update_fields=list(changes))
        what = ", ".join(sorted(changes)).replace("_", " ")
        audit_log.record_activity(
            organisation=organisation,
            kind=ActivityKind.KEY,
            action=f"API key {key.prefix} was changed: {what}",
            target=key.prefix,
            changes=audit_log.compare_values(before, changes),
        )
    return key


@transaction.atomic
def revoke_key(*, organisation: Organisation, key_id: int) -> None:
    """End a key: from now on it is refused everywhere. Raises `NotFound` for an unknown, foreign or revoked key."""
    key = _load_own_key(organisation, key_id)
    ended = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=timezone.now())
    if ended != 1:
        raise NotFound("API key not found")
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.KEY,
        action=f"API key {key.prefix} was revoked",
        target=key.prefix,
    )


@transaction.atomic
def revoke_all_keys(*, organisation: Organisation) -> None:
    """End every key of an organisation."""
    for key in list_keys(organisation):
        revoke_key(organisation=organisation, key_id=key.pk)


def list_keys(organisation: Organisation) -> ApiKeyQuerySet:
    """The keys of an organisation that were not revoked, newest first; expired ones too. `maker_has_left` says whether
    who made one does not belong to it any more, nor leads the agency that acts there."""
    acting = Organisation.objects.filter(pk=OuterRef(OuterRef("organisation")), agency_may_act=True).values("agency")
    leading = Q(organisation__in=acting, role__in=ROLES_OF[Right.MANAGE])
    makers = Membership.objects.filter(Q(organisation=OuterRef("organisation")) | leading, user=OuterRef("maker"))
    keys = ApiKey.objects.for_org(organisation).filter(revoked_at=None).select_related("maker")
    return keys.annotate(maker_has_left=~Exists(makers)).order_by("-pk")


def _load_own_key(organisation: Organisation, key_id: int) -> ApiKey:
    key = ApiKey.objects.for_org(organisation).filter(pk=key_id, revoked_at=None).first()
    if key is None:
        raise NotFound("API key not found")
    return key


def _require_future_end(expires_at: datetime | None) -> None:
    if expires_at is not None and expires_at <= timezone.now():
        raise BadInput("The end must be in the future.", field="expires_at", value=expires_at.isoformat())
