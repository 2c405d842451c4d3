"""Queries of every call, whose statement is built once.

Django builds a statement for every query, which takes ten times as long as running it: for the two rows
that let in a call with a key, a quarter of the call (docs/api.md has the figures).
"""

from datetime import UTC, datetime
from functools import cached_property
from itertools import pairwise
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.expressions import RawSQL

M = TypeVar("M", bound=models.Model)


class OneRow(Generic[M]):
    """Reads the row of a model by a unique column, or by several that are unique together (`"user organisation"`), and
    with it the row that its field `path[0]` leads to, from there the row that field `path[1]` leads to, and so on."""

    def __init__(self, model: type[M], columns: str, *path: str) -> None:
        self._model, self._columns, self._path = model, columns.split(), path

    def read(self, *values: Any) -> M | None:
        """The row with these values of the columns as an instance, with those it leads to; None without one."""
        with connection.cursor() as cursor:
            cursor.execute(self._sql, values)
            found = cursor.fetchone()
        if found is None:
            return None
        made: list[Any] = [part.instance(found) for part in self._parts if found[part.key] is not None]
        for name, (one, other) in zip(self._path, pairwise(made), strict=False):
            setattr(one, name, other)
        row: M = made[0]
        return row

    @cached_property
    def _parts(self) -> list["_Part"]:
        parts = [_Part(self._model, "", 0)]
        for name in self._path:
            parts.append(parts[-1].following(name))
        return parts

    @cached_property
    def _sql(self) -> str:
        """The text that Django makes for a value which is itself the mark of a value."""
        rows = self._model._default_manager.all()
        for name in self._columns:  # one after another: Django sorts the conditions of one filter
            rows = rows.filter(**{name: RawSQL("%s", ["%s"])})
        return str(rows.values_list(*(part.prefix + name for part in self._parts for name in part.names)).query)


class _Part:
    """The columns of one model among those of a row."""

    def __init__(self, model: type[models.Model], prefix: str, start: int) -> None:
        fields = model._meta.concrete_fields
        self.model, self.prefix, self.names = model, prefix, [field.attname for field in fields]
        self.place = slice(start, start + len(fields))
        self.key = start + self.names.index(model._meta.pk.attname)
        self._times = [number for number, field in enumerate(fields) if isinstance(field, models.DateTimeField)]
        self._texts: list[Any] = [one for one in enumerate(fields) if isinstance(one[1], models.JSONField)]

    def following(self, name: str) -> "_Part":
        """The part that a field of the model leads to."""
        model: Any = self.model._meta.get_field(name).related_model
        return _Part(model, f"{self.prefix}{name}__", self.place.stop)

    def instance(self, row: tuple[Any, ...]) -> models.Model:
        """Its row; SQLite keeps moments without their time zone, and every database JSON as text."""
        values = list(row[self.place])
        for number in self._times:
            if isinstance(values[number], datetime):
                values[number] = values[number].replace(tzinfo=UTC)
        for number, field in self._texts:
            values[number] = field.from_db_value(values[number], None, connection)
        return self.model.from_db(connection.alias, self.names, values)
