"""Reads that every call makes, with their statement put together once.

Django puts a statement together each time it is asked, which takes ten times as long as running it: for the two rows
that let in a call with a key, more than a third of the call (docs/api.md has the figures).
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)
_populators_of: Any = get_related_populators  # its stub is that of a later Django


class OneRow(Generic[M]):
    """Reads the first of `rows(value)`; `example` is such a value, unlike any other in the statement.

    The query set may follow foreign keys by `select_related`; it depends on the value in one place alone.
    """

    def __init__(self, rows: Callable[[Any], models.QuerySet[M]], example: Any) -> None:
        self._rows, self._example = rows, example

    def read(self, value: Any) -> M | None:
        """The row as an instance, with those it refers to; None without one."""
        sql = self._sql
        with connection.cursor() as cursor:
            cursor.execute(sql, [value])
            found = cursor.fetchone()
        return self._instance(found) if found else None

    @cached_property
    def _compiler(self) -> Any:
        return self._rows(self._example).query.get_compiler(connection=connection)

    @cached_property
    def _sql(self) -> str:
        sql, values = self._compiler.as_sql()
        if list(values) != [self._example]:
            raise ValueError(f"The statement takes other values than one: {values}")
        return str(sql)

    @cached_property
    def _converters(self) -> Any:
        return self._compiler.get_converters([one[0] for one in self._compiler.select])

    @cached_property
    def _columns(self) -> tuple[slice, list[str]]:
        chosen = self._compiler.klass_info["select_fields"]
        place = slice(chosen[0], chosen[-1] + 1)
        return place, [one[0].target.attname for one in self._compiler.select[place]]

    @cached_property
    def _related(self) -> Any:
        return _populators_of(self._compiler.klass_info, self._compiler.select, connection.alias)

    def _instance(self, found: Any) -> M:
        (row,) = self._compiler.apply_converters([found], self._converters)
        place, names = self._columns
        made: M = self._compiler.klass_info["model"].from_db(connection.alias, names, row[place])
        for one in self._related:
            one.populate(row, made)
        return made
