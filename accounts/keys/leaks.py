"""Keys that were found where others can read them: reported by anybody, revoked, and told to those whom it concerns.

What is no key is known by its checksum, without the database. Who reports a key learns nothing by how it is answered;
that it was live, they could have learned by using it.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.access.authentication import is_well_formed
from accounts.access.models import ApiKey
from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.keys.emails import send_key_leaked
from accounts.keys.models import KeyLeak, KeyLeakNotice
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLES_OF, Right
from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.errors import NotFound
from emailcheck.common.secrecy import hash_secret
from emailcheck.common.text.cleaning import make_storable

MOST_REPORTS = 100
MOST_PLACES = 10
"""So many places of one key are told of: whoever has it could make up any number."""
_LONGEST_PLACE = 300
_KEY = re.compile(r"ec_(?:live|test)_\w+")


class LeakReport(NamedTuple):
    """A text that may be a key, and where it was found; empty where that was not said."""

    token: str
    url: str


def handle_reports(reports: Iterable[LeakReport]) -> None:
    """Revoke the live keys among what was found, as their organisations want it, and tell those whom it concerns."""
    places: dict[str, str] = {}
    for report in reports:
        if is_well_formed(report.token):
            places.setdefault(hash_secret(report.token), clean_place(report.url))
    if not places:
        return
    with request_context.hiding_caller():
        for key in ApiKey.objects.live().filter(key_hash__in=places).order_by("pk"):
            _record_leak(key.pk, places[key.key_hash])


def clean_place(url: str) -> str:
    """Where something was found, as a line of plain text without keys, cut."""
    words = "".join(letter if letter.isprintable() else " " for letter in make_storable(url)).split()
    return _KEY.sub("[key]", " ".join(words))[:_LONGEST_PLACE]


@transaction.atomic
def _record_leak(key_id: int, place: str) -> None:
    """Once for each place, and only while the key is live: of several reports at once the others find it done."""
    key = ApiKey.objects.live().select_for_update(no_key=True).filter(pk=key_id).first()
    if key is None or key.leaks.count() >= MOST_PLACES:
        return
    revoked = key.organisation.revoke_leaked_keys
    fresh = {"organisation": key.organisation, "revoked": revoked}
    leak, is_new = KeyLeak.objects.get_or_create(key=key, place=place, defaults=fresh)
    if not is_new:
        return
    if revoked:
        ApiKey.objects.filter(pk=key.pk).update(revoked_at=timezone.now())
    audit_log.record_activity(
        organisation=key.organisation,
        kind=ActivityKind.KEY,
        action=f"API key {key.prefix} was found in public{' and revoked' if revoked else ''}",
        target=key.prefix,
        changes={"found_at": [None, place]},
    )
    _tell_people(leak)


def _tell_people(leak: KeyLeak) -> None:
    people = _list_concerned(leak.key)
    KeyLeakNotice.objects.bulk_create(KeyLeakNotice(leak=leak, user=user) for user in people)
    for user in people:
        send_key_leaked(leak=leak, to=user)


def _list_concerned(key: ApiKey) -> list[User]:
    """Who made a key, if they belong to its organisation still, and who leads that; else its contact."""
    concerned = Q(role__in=ROLES_OF[Right.MANAGE]) | Q(user=key.maker_id)
    found = Membership.objects.filter(concerned, organisation=key.organisation_id).select_related("user")
    return [membership.user for membership in found.order_by("pk")] or [key.organisation.contact]


def list_notices(*, user: User, organisation: Organisation) -> "QuerySet[KeyLeakNotice]":
    """What somebody has not yet dismissed of the leaks in an organisation, newest first."""
    mine = KeyLeakNotice.objects.filter(user=user, leak__organisation=organisation, dismissed_at=None)
    return mine.select_related("leak__key").order_by("-pk")


def dismiss_notice(*, user: User, organisation: Organisation, notice_id: int | None) -> None:
    """Show a notice no more to whom it was for. Raises `NotFound` for that of others, and for one dismissed before."""
    mine = list_notices(user=user, organisation=organisation).filter(pk=notice_id or 0)
    if not KeyLeakNotice.objects.filter(pk__in=mine.values("pk")).update(dismissed_at=timezone.now()):
        raise NotFound("Notice not found")
