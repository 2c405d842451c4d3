"""Each public page has the styles of all that it shows, in one sheet that is small."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from emailcheck.common.templatetags.islands import read_manifest
from emailcheck.public import machine_files
from emailcheck.public.blog import posts

PLACES = (
    *machine_files.list_public_paths(),
    posts.load_posts()[0].path,
    "/blog/no-such-post",
    "/newsletter/confirm?token=none",
)
_CLASS = re.compile(r"\.([a-z][\w-]*)")


@cache
def classes_in(sheet: str) -> frozenset[str]:
    text = (Path(settings.FRONTEND_DIST) / read_manifest()["sheets"][sheet]).read_text()
    return frozenset(_CLASS.findall(text))


def sheet_of(page: str) -> str:
    (file,) = re.findall(r'<link rel="stylesheet" href="/static/([^"]+)"', page)
    (name,) = [name for name, path in read_manifest()["sheets"].items() if path == file]
    return str(name)


@pytest.mark.parametrize("path", PLACES)
def test_a_page_has_the_styles_of_what_it_shows(db: None, client: Client, path: str) -> None:
    page = client.get(path, headers={"Accept": "text/html"}).content.decode()
    shown = {name for names in re.findall(r'class="([^"]+)"', page) for name in names.split()}
    elsewhere = frozenset().union(*(classes_in(name) for name in read_manifest()["sheets"] if name != "app"))
    assert shown & elsewhere - classes_in(sheet_of(page)) == set()


def test_sheets_of_public_pages_arrive_in_the_first_packets() -> None:
    """What a server may send before it is answered is ten packets of 1,460 octets (RFC 6928)."""
    sizes: dict[str, Any] = read_manifest()["gzip"]
    sheets = {name: sizes[file] for name, file in read_manifest()["sheets"].items() if name.startswith("public")}
    assert len(sheets) > 5
    assert {name: size for name, size in sheets.items() if size > 10 * 1_460} == {}
