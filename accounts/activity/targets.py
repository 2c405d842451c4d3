"""Whom a line of the audit concerns. The line has a number, so that it names nobody when the account is gone; it is
read with name and address for as long as there are any."""

import re
from collections.abc import Iterable
from typing import Final, Self

from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User

GONE, LEFT = "Deleted account", "Somebody who has left"
# What closing an account leaves in place of its address.
_NO_ADDRESS: Final = "@deleted.invalid"
_NAMED: Final = re.compile(r"(user:|account |member:|membership |transfer |invitation )(\w+)")


class Targets:
    """The people of some lines of an organisation, all loaded at once."""

    def __init__(self, organisation: Organisation, people: dict[str, str], invited: dict[str, str]) -> None:
        self._organisation, self._people, self._invited = organisation, people, invited

    @classmethod
    def load(cls, organisation: Organisation, rows: Iterable[Activity]) -> Self:
        """Whom these lines name."""
        found = {match.groups() for row in rows for text in _list_texts(row) for match in _NAMED.finditer(text)}
        wanted = {kind: {name for one, name in found if one == kind} for kind, _ in found}
        numbers = {kind: [int(name) for name in names if name.isdecimal()] for kind, names in wanted.items()}
        members = organisation.memberships.filter(pk__in=[*numbers.get("membership ", ()), *numbers.get("member:", ())])
        transfers = organisation.transfers.filter(pk__in=numbers.get("transfer ", ()))
        of_members = {f"membership {pk}": user for pk, user in members.values_list("pk", "user")}
        of_transfers = {f"transfer {pk}": user for pk, user in transfers.values_list("pk", "receiver")}
        ids = {*numbers.get("user:", ()), *numbers.get("account ", ()), *of_members.values(), *of_transfers.values()}
        names = _name_people(ids)
        people = {f"user {pk}": name for pk, name in names.items()}
        people |= {key: names.get(user, GONE) for key, user in (of_members | of_transfers).items()}
        invitations = organisation.invitations.filter(public_id__in=wanted.get("invitation ", ()))
        return cls(organisation, people, dict(invitations.values_list("public_id", "email")))

    def name_target(self, row: Activity) -> str:
        """The target of a line in words; as it stands where it is no person."""
        match = _NAMED.fullmatch(row.target)
        if match is None:
            return row.target
        return self._organisation.title if self._is_its_own(row, match) else self._name(match)

    def _is_its_own(self, row: Activity, match: re.Match[str]) -> bool:
        """Whether staff mean the organisation: one that came with an account has its number."""
        is_staff, number = row.kind == ActivityKind.STAFF, str(self._organisation.pk)
        return is_staff and match[1] in ("user:", "account ") and match[2] == number and str(row.user_id) != number

    def name_in(self, row: Activity, text: str) -> str:
        """A part of what changed, in words; only lines about members name people there."""
        return _NAMED.sub(self._name, text) if row.kind == ActivityKind.MEMBER else text

    def _name(self, match: re.Match[str]) -> str:
        kind, name = match.groups()
        if kind == "invitation ":
            address = self._invited.get(name, match[0])
            return GONE if address.endswith(_NO_ADDRESS) else address
        if kind in ("user:", "account "):
            return self._people.get(f"user {name}", GONE)
        if kind == "transfer ":
            return self._people.get(match[0], match[0])
        return self._people.get(f"membership {name}", LEFT)


def _list_texts(row: Activity) -> list[str]:
    if row.kind != ActivityKind.MEMBER:
        return [row.target]
    values = [value for pair in row.changes.values() if isinstance(pair, list) for value in pair]
    return [row.target, *row.changes, *(value for value in values if isinstance(value, str))]


def _name_people(ids: set[int]) -> dict[int, str]:
    people = User.objects.filter(pk__in=ids, deleted_at=None).values_list("pk", "name", "email")
    return {pk: f"{name} ({email})" for pk, name, email in people}
