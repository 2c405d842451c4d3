"""Steps of migrations that others may read and write beside."""

from copy import copy
from typing import Any

from django.apps.registry import Apps
from django.db import transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations import AddIndex, RemoveIndex
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models import Field
from django.db.utils import OperationalError

_TRIES = 60
_LOCK_TIMEOUT = "1s"


class MoveForeignKey(Operation):
    """Give a foreign key another name in the code and another table to lead to; its column and values stay.

    The numbers of the two tables' rows must be the same, so that a version which still sees the old key writes what
    is right by the new one. On PostgreSQL the constraint is exchanged without reading rows under a lock: each step
    waits at most a second for its lock and is tried again, and existing rows are compared afterwards, while others
    read and write. SQLite builds the table anew. A field that is no foreign key only gets its name.
    """

    reduces_to_sql = False
    reversible = False

    def __init__(self, model_name: str, old_name: str, new_name: str, field: "Field[Any, Any]") -> None:
        self.model_name, self.old_name, self.new_name, self.field = model_name, old_name, new_name, field

    def describe(self) -> str:
        return f"Rename {self.model_name}.{self.old_name} to {self.new_name} and let it lead elsewhere"

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        if self.old_name != self.new_name:
            state.rename_field(app_label, self.model_name.lower(), self.old_name, self.new_name)
        state.alter_field(app_label, self.model_name.lower(), self.new_name, self.field, preserve_default=True)
        options = state.models[app_label, self.model_name.lower()].options
        for kind in ("indexes", "constraints"):
            options[kind] = [self._rename_in(part) for part in options.get(kind, [])]
        state.reload_model(app_label, self.model_name.lower())

    def _rename_in(self, part: Any) -> Any:
        _, args, values = part.deconstruct()
        if "fields" not in values:
            return part
        fields = [self._rename_column(name) for name in values["fields"]]
        return type(part)(*args, **(values | {"fields": fields}))

    def _rename_column(self, name: str) -> str:
        return name.replace(self.old_name, self.new_name) if name.lstrip("-") == self.old_name else name

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        old = _find_model(from_state.apps, app_label, self.model_name)
        new = _find_model(to_state.apps, app_label, self.model_name)
        if not self.allow_migrate_model(schema_editor.connection.alias, new):
            return
        old_field, new_field = old._meta.get_field(self.old_name), new._meta.get_field(self.new_name)
        if not (new_field.remote_field and new_field.db_constraint):
            return
        if schema_editor.connection.vendor == "postgresql":
            _exchange_constraint(schema_editor, old, old_field, new_field)
        else:
            renamed = copy(old_field)  # the table is built anew for one change at a time
            renamed.name, renamed.attname = new_field.name, new_field.attname
            with transaction.atomic(using=schema_editor.connection.alias):
                schema_editor.alter_field(new, renamed, new_field)


class AddIndexBeside(AddIndex):
    """As `AddIndex`; it may run again, and on PostgreSQL nobody waits for it. Its migration must not be atomic.

    PostgreSQL keeps an index whose building was cut off, invalid and unused; such a one is built anew
    (https://www.postgresql.org/docs/current/sql-createindex.html#SQL-CREATEINDEX-CONCURRENTLY).
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        editor: Any = schema_editor
        beside: dict[str, Any] = {}
        if editor.connection.vendor == "postgresql":
            beside = {"concurrently": True}
            _drop_invalid_index(editor, editor.quote_name(self.index.name))
        model = _find_model(to_state.apps, app_label, self.model_name)
        made = str(self.index.create_sql(model, editor, **beside))
        begin = "CREATE INDEX CONCURRENTLY" if beside else "CREATE INDEX"
        editor.execute(made.replace(begin, f"{begin} IF NOT EXISTS", 1))


class RemoveIndexBeside(RemoveIndex):
    """As `RemoveIndex`; it may run again, and on PostgreSQL nobody waits for it. Its migration must not be atomic."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        editor: Any = schema_editor
        beside = "CONCURRENTLY " if editor.connection.vendor == "postgresql" else ""
        editor.execute(f"DROP INDEX {beside}IF EXISTS {editor.quote_name(self.name)}")


def _find_model(apps: Apps, app_label: str, name: str) -> Any:
    return apps.get_model(app_label, name)


def _drop_invalid_index(editor: Any, name: str) -> None:
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND NOT indisvalid", [name])
        is_invalid = cursor.fetchone() is not None
    if is_invalid:
        editor.execute(f"DROP INDEX CONCURRENTLY {name}")


def _exchange_constraint(editor: Any, model: Any, old_field: Any, new_field: Any) -> None:
    table, column = model._meta.db_table, new_field.column
    names = editor._constraint_names(model, [column], foreign_key=True)
    made = str(editor._fk_constraint_name(model, new_field, "_fk_%(to_table)s_%(to_column)s"))
    to = new_field.remote_field.model._meta.db_table
    quote = editor.quote_name
    dropped = "".join(f"DROP CONSTRAINT {quote(name)}, " for name in names)
    _run_briefly(
        editor,
        f"ALTER TABLE {quote(table)} {dropped}ADD CONSTRAINT {made} FOREIGN KEY ({quote(column)}) "
        f"REFERENCES {quote(to)} (id) DEFERRABLE INITIALLY DEFERRED NOT VALID",
    )
    editor.execute(f"ALTER TABLE {quote(table)} VALIDATE CONSTRAINT {made}")


def _run_briefly(editor: Any, statement: str) -> None:
    """Run a statement that locks out others for a moment, without making them wait behind it for longer."""
    for left in reversed(range(_TRIES)):
        try:
            with transaction.atomic(using=editor.connection.alias):
                editor.execute(f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
                editor.execute(statement)
        except OperationalError:
            if not left:
                raise
        else:
            return
