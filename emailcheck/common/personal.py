"""Which tables hold something about people, how it is exported and how it goes: each app names its own in `ready()`.

A table with a path to an account that is not named here fails a test, so that none is forgotten.
"""

import json
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from emailcheck.common import registry

_ROWS_AT_ONCE = 2_000
_encode = DjangoJSONEncoder(ensure_ascii=False).encode
Eraser = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with rows about people.

    `owner` is the look-up from a row to the id of its account; where there is none, `found` finds the rows of an
    account by its id. `name` is its name in the export, or `left_out` why it is not there; `secret` are the columns
    that are never exported. `erase_person` is what happens to the rows of a deleted account, by its id; without it
    they are deleted. `exported` finds the rows for the export, where these are not all of the account, by its id and
    the numbers of the organisations that are closed to the person now.
    """

    model: type[Model]
    owner: str = ""
    name: str = ""
    left_out: str = ""
    secret: tuple[str, ...] = ()
    erase: Eraser | None = None
    found: "Callable[[int], QuerySet[Any]] | None" = None
    exported: "Callable[[int, Collection[int]], QuerySet[Any]] | None" = None

    @property
    def label(self) -> str:
        return self.model._meta.db_table

    @property
    def columns(self) -> list[str]:
        """Those that are exported, as the database names them."""
        return [name for name in self._attributes if name not in self.secret]

    @property
    def _attributes(self) -> dict[str, str]:
        return {str(field.column): field.attname for field in self.model._meta.concrete_fields}

    def rows_of(self, user_id: int) -> "QuerySet[Any]":
        if self.found is not None:
            return self.found(user_id)
        return self.model._default_manager.filter(**{self.owner: user_id})

    def exported_rows_of(self, user_id: int, closed: Collection[int]) -> "QuerySet[Any]":
        return self.rows_of(user_id) if self.exported is None else self.exported(user_id, closed)

    def export_rows(self, user_id: int, closed: Collection[int]) -> Iterator[dict[str, Any]]:
        """The rows of an account by column, oldest first, without those of closed organisations."""
        attributes = self._attributes
        rows = (
            self.exported_rows_of(user_id, closed).order_by("pk").values(*(attributes[name] for name in self.columns))
        )
        for row in rows.iterator(_ROWS_AT_ONCE):
            yield {name: row[attributes[name]] for name in self.columns}

    def erase_rows(self, user_id: int) -> None:
        """Delete the rows of an account, or what `erase` does in place of it."""
        if self.erase is not None:
            self.erase(user_id)
        else:
            delete_in_slices(self.rows_of(user_id))


@dataclass(frozen=True, slots=True)
class OrganisationTable(Table):
    """A table with rows of organisations: those of the one that an account holds go with it, and its export has those
    of all of which it is an owner and that are open to it.

    `owner` is the look-up to the id of the organisation, and `erase` gets one.
    """

    def rows_of(self, user_id: int) -> "QuerySet[Any]":
        return self._rows_in(registry.above.list_held_organisations(user_id))

    def exported_rows_of(self, user_id: int, closed: Collection[int]) -> "QuerySet[Any]":
        owned = self._rows_in(registry.above.list_owned_organisations(user_id))
        return owned.exclude(**{f"{self.owner}__in": closed}) if closed else owned

    def erase_rows(self, user_id: int) -> None:
        for organisation_id in registry.above.list_held_organisations(user_id):
            self.erase_organisation_rows(organisation_id)

    def erase_organisation_rows(self, organisation_id: int) -> None:
        """Delete the rows of an organisation, or what `erase` does in place of it."""
        if self.erase is not None:
            self.erase(organisation_id)
        else:
            delete_in_slices(self._rows_in([organisation_id]))

    def _rows_in(self, organisation_ids: Collection[int]) -> "QuerySet[Any]":
        return self.model._default_manager.filter(**{f"{self.owner}__in": organisation_ids})


_tables: list[Table] = []


def add_tables(*tables: Table) -> None:
    """Make tables known. Harmless when they are."""
    _tables.extend(table for table in tables if table not in _tables)


def list_tables() -> list[Table]:
    """All that are known, those of lower apps first."""
    return list(_tables)


@dataclass(frozen=True, slots=True)
class ClosedOrganisation:
    """An organisation whose rows a person does not get now, and why."""

    number: int
    public_id: str
    name: str
    reason: str

    def present(self) -> dict[str, str]:
        return {"id": self.public_id, "name": self.name, "reason": self.reason}


def export_person(user_id: int, now: datetime, closed: Sequence[ClosedOrganisation] = ()) -> Iterator[str]:
    """Everything about an account as one JSON text, piece by piece: the tables with their rows, then what was left out.

    The text is complete only with its last character, so that an export that was cut off cannot pass for one.
    """
    yield f'{{\n"exported_at": {_encode(now)},\n"data": {{'
    manifest: list[dict[str, Any]] = []
    numbers = [organisation.number for organisation in closed]
    for table in _tables:
        if table.name:
            before = ",\n" if manifest else "\n"
            count = yield from _export_rows(before, table, table.export_rows(user_id, numbers))
            manifest.append(
                {"name": table.name, "table": table.label, "rows": count, "columns_left_out": list(table.secret)}
            )
    left_out = [{"table": table.label, "reason": table.left_out} for table in _tables if table.left_out]
    yield f'\n}},\n"manifest": {_encode(manifest)},\n"left_out": {_encode(left_out)},\n'
    yield f'"organisations_left_out": {_encode([organisation.present() for organisation in closed])}\n}}\n'


def _export_rows(before: str, table: Table, rows: Iterator[dict[str, Any]]) -> Generator[str, None, int]:
    yield f"{before}{json.dumps(table.name)}: ["
    count = 0
    for row in rows:
        yield ("," if count else "") + "\n" + _encode(row)
        count += 1
    yield "]"
    return count


def erase_person(user_id: int) -> None:
    """Delete the rows of an account, or detach them, those of upper apps first and the account's own row last.

    It is done in slices that hold no lock for long. Repeating it does no harm, and goes on where an earlier call ended.
    """
    for table in _list_upper_first():
        table.erase_rows(user_id)


def erase_organisation(organisation_id: int) -> None:
    """As `erase_person`, for the rows of an organisation, whoever owned it."""
    for table in _list_upper_first():
        if isinstance(table, OrganisationTable):
            table.erase_organisation_rows(organisation_id)


def _list_upper_first() -> list[Table]:
    upper_first = _tables[::-1]
    return sorted(upper_first, key=lambda table: table.owner == "pk")


def delete_in_slices(rows: "QuerySet[Any]") -> int:
    """Delete rows a few thousand at a time. Answers how many there were."""
    deleted = 0
    while keys := list(rows.order_by().values_list("pk", flat=True)[:_ROWS_AT_ONCE]):
        rows.model._default_manager.filter(pk__in=keys).delete()
        deleted += len(keys)
    return deleted
