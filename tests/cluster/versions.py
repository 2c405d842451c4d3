"""The version after this one: a copy of the code with one more migration, which only adds."""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.stack import ROOT

_APP = "validation"
_FIELD = "next_note"
_BELOW = ("emailcheck", "accounts", "billing", "crm", "quotes", "adminpanel", "validation", "templates", "samples")
_LINKED = (".venv", "frontend", "docs", "tests")
_MIGRATION = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("{app}", "{before}")]
    operations = [
        migrations.AddField("batch", "{field}", models.CharField(max_length=40, null=True)),
        migrations.CreateModel("NextThing", [("id", models.BigAutoField(primary_key=True))]),
    ]
"""
# The code of that version reads and writes the new column with every list.
_MODEL = """

Batch.add_to_class("{field}", models.CharField(max_length=40, null=True, default="by the next version"))
"""


def make_next_version(folder: Path) -> Path:
    """Write it into an empty folder; answers the folder."""
    for name in _BELOW:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy(path, folder)
    for name in _LINKED:
        (folder / name).symlink_to(ROOT / name)
    _add_migration(folder)
    return folder


def _add_migration(folder: Path) -> None:
    migrations = folder / _APP / "migrations"
    before = max(path.stem for path in migrations.glob("[0-9]*.py"))
    text = _MIGRATION.format(app=_APP, before=before, field=_FIELD)
    (migrations / f"{int(before[:4]) + 1:04}_of_the_next_version.py").write_text(text, encoding="utf-8")
    with (folder / _APP / "batches" / "models.py").open("a", encoding="utf-8") as models:
        models.write(_MODEL.format(field=_FIELD))


def count_lists(query: Callable[..., list[tuple[object, ...]]]) -> tuple[int, int]:
    """How many lists the version before and the next one have made since the migration, by a query of the database."""
    ((before, after),) = query(
        f"SELECT count(*) FILTER (WHERE {_FIELD} IS NULL), count({_FIELD}) FROM validation_batch"
    )
    return int(str(before)), int(str(after))
