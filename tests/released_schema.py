"""What the last release expects of a database, its queue and its API, so that it works beside the next version.

    make release-schema         # at a release: writes tests/released_schema.json

A release that is on the way out still inserts rows that name its own columns alone, writes NULL where it always could,
queues its own functions, and has pages open that make its calls. `find_refusals` says where a database would not have
it so.
"""

import ast
import importlib
import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from tests.released_calls import describe_calls

ROOT = Path(__file__).parent.parent
PLACE = Path(__file__).with_suffix(".json")
APPS = ("accounts", "adminpanel", "billing", "crm", "emailcheck", "quotes", "validation")
_COLUMNS = """
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
       d.adbin IS NOT NULL OR a.attidentity <> '' AS has_default
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname, a.attname"""
_RULES = """
SELECT c.relname, pg_get_constraintdef(r.oid) FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid
WHERE c.relnamespace = 'public'::regnamespace AND r.contype IN ('c', 'f', 'p', 'u', 'x') AND NOT c.relispartition
UNION
SELECT c.relname, regexp_replace(pg_get_indexdef(i.indexrelid), '(UNIQUE INDEX) [^ ]+ ON (ONLY )?[^ ]+', '\\1')
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique AND NOT c.relispartition
  AND NOT EXISTS (SELECT FROM pg_constraint r WHERE r.conindid = i.indexrelid)
ORDER BY 1, 2"""
_SAMPLES = {
    "boolean": "f", "smallint": "1", "integer": "1", "bigint": "1", "double precision": "0.5", "numeric": "1",
    "character varying": "x", "text": "x", "timestamp with time zone": "2030-01-01", "date": "2030-01-01",
    "interval": "1s", "jsonb": "{}", "bytea": "x", "uuid": "0" * 32, "inet": "192.0.2.1",
}  # fmt: skip
_WORDS = re.compile(r"character varying\((\d+)\)|text")


class Column(NamedTuple):
    """A column as released code may use it. A row that leaves it out has its default, NULL without one."""

    type: str
    required: bool
    has_default: bool


Table = dict[str, Any]
"""`columns` by name, and `rules`: what the database itself refuses or keeps unique."""


def describe_database() -> dict[str, Table]:
    """The tables of a PostgreSQL database."""
    tables: dict[str, Table] = {}
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS)
        for table, name, *column in cursor.fetchall():
            tables.setdefault(table, {"columns": {}, "rules": []})["columns"][name] = Column(*column)
        cursor.execute(_RULES)
        for table, rule in cursor.fetchall():
            tables[table]["rules"].append(rule)
    return tables


def describe_queue() -> dict[str, int]:
    """The functions that this version queues, by their paths, with how many arguments."""
    timed = [*settings.SCHEDULES, *(path for paths in settings.ON_HEARTBEAT.values() for path in paths)]
    return dict(sorted([*((path, 0) for path in timed), *_find_queued()]))


def _find_queued() -> Iterator[tuple[str, int]]:
    for file in sorted(file for app in APPS for file in (ROOT / app).rglob("*.py") if "tests" not in file.parts):
        text = file.read_text(encoding="utf-8")
        if "enqueue" not in text:
            continue
        module = importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func).startswith(("tasks.enqueue", "enqueue")):
                path = _read_constant(module, call.args[0]) if call.args else None
                if path:
                    yield path, len(call.args) - 1


def _read_constant(module: ModuleType, node: ast.expr) -> str | None:
    """The path that an argument is: a text, or a constant that the module knows. None: not known here."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    value: Any = module
    for name in ast.unparse(node).split("."):
        value = getattr(value, name, None)
    return value if isinstance(value, str) else None


def read_release() -> dict[str, Any]:
    """The recorded release: its version as `release`, its `migrations`, `tasks`, `calls` and `tables`."""
    release: dict[str, Any] = json.loads(PLACE.read_text(encoding="utf-8"))
    for table in release["tables"].values():
        table["columns"] = {name: Column(*column) for name, column in table["columns"].items()}
    return release


def read_version() -> str:
    """The version of this code."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])


def find_refusals(released: dict[str, Table]) -> list[str]:
    """What the database would refuse to, or keep from, code of the release: one line each."""
    now = describe_database()
    found = []
    for name, table in released.items():
        if name not in now:
            found.append(f"{name} is gone")
            continue
        found += [f"{name}{line}" for line in (*_compare_columns(table, now[name]), *_compare_rules(table, now[name]))]
        if not any(line.startswith(f"{name}.") for line in found):
            found += _try_insert(name, table["columns"])
    return found


def _compare_columns(released: Table, now: Table) -> Iterator[str]:
    for name, was in released["columns"].items():
        column = now["columns"].get(name)
        if column is None:
            yield f".{name} is gone"
        elif not _holds(column.type, was.type):
            yield f".{name} is {column.type}, not {was.type}"
        elif column.required and not was.required:
            yield f".{name} may not be NULL any more"
        elif was.has_default and column.required and not column.has_default:
            yield f".{name} has no default any more"
    for name, column in now["columns"].items():
        if name not in released["columns"] and column.required and not column.has_default:
            yield f".{name} is new, and required without a default of the database"


def _holds(now: str, was: str) -> bool:
    """Whether a column holds all that it did: its type is the same, or a longer text."""
    new, old = _WORDS.fullmatch(now), _WORDS.fullmatch(was)
    if new and old:
        return new[1] is None or (old[1] is not None and int(new[1]) >= int(old[1]))
    return now == was


def _compare_rules(released: Table, now: Table) -> Iterator[str]:
    """A new rule may refuse what the release writes; where one row was unique, the release counts on it."""
    for rule in now["rules"]:
        if rule not in released["rules"]:
            yield f": new rule {rule}"
    for rule in released["rules"]:
        if rule not in now["rules"] and "UNIQUE" in rule:
            yield f": no more {rule}"


def _try_insert(name: str, columns: dict[str, Column]) -> Iterator[str]:
    """Insert a row as the release does into an empty copy of the table: without rules, which are compared above."""
    written = {column: kind for column, kind in columns.items() if not kind.has_default}
    values = [_SAMPLES[kind.type.partition("(")[0]] if kind.required else None for kind in written.values()]
    quoted, slots = ", ".join(f'"{column}"' for column in written), [f"%s::{kind.type}" for kind in written.values()]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f'CREATE TEMP TABLE copy_of_it (LIKE "{name}" INCLUDING DEFAULTS INCLUDING IDENTITY)')
            cursor.execute(f"INSERT INTO copy_of_it ({quoted}) VALUES ({', '.join(slots)})", values)
            cursor.execute("DROP TABLE copy_of_it")
    except DatabaseError as error:
        yield f"{name}: {str(error).splitlines()[0]}"


def find_lost_tasks(released: dict[str, int]) -> list[str]:
    """The functions that the release queues and this version cannot call as it does."""
    return [f"{path} with {count} arguments" for path, count in released.items() if not _takes(path, count)]


def _takes(path: str, count: int) -> bool:
    module, _, name = path.rpartition(".")
    try:
        inspect.signature(getattr(importlib.import_module(module), name)).bind(*range(count))
    except (ImportError, AttributeError, TypeError):
        return False
    return True


def write_release() -> None:
    """Record this version, for the tests of the next; from a migrated PostgreSQL database."""
    release = {
        "release": read_version(),
        "migrations": sorted(".".join(name) for name in MigrationRecorder(connection).applied_migrations()),
        "tasks": describe_queue(),
        "calls": describe_calls(),
        "tables": describe_database(),
    }
    text = json.dumps(release, indent=1)
    one_line = re.sub(r'\[\s+("[^"]+"),\s+(true|false),\s+(true|false)\s+\]', r"[\1, \2, \3]", text)
    PLACE.write_text(one_line + "\n", encoding="utf-8")
