"""The example of every setting against the documentation, and that against the code; and no secret in any file."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.tools import DEPLOY, ROOT
from tests.test_house import product

DOCUMENT, EXAMPLE = ROOT / "docs" / "settings.md", DEPLOY / "settings.env.example"
READERS = {"text", "number", "amount", "flag", "names", "parsed", "choice", "addresses", "networks"}
SECRET = re.compile(r"SECRET|PASSWORD|TOKEN|_KEY$|(DATABASE|REDIS|MAIL)_URL|RESTORE_TEST_SERVER")
_NAME = re.compile(r"`([A-Z][A-Z0-9_]+)`")


def list_documented() -> set[str]:
    """The names before the colon of each line of the list; those of each provider alike."""
    lines = DOCUMENT.read_text().split("\n- ")[1:]
    heads = [re.sub(r"\([^()]*(\([^()]*\))?[^()]*\)", "", line).partition(":")[0] for line in lines]
    found = set().union(*map(_NAME.findall, heads))
    queues, services = ("HIGH", "MAIL", "HOOKS"), ("ZEROBOUNCE", "NEVERBOUNCE", "KICKBOX")
    found |= {f"PROVIDER_{name}_{end}" for name in services for end in ("KEY", "URL", "BULK_URL")}
    return (found | {f"WORKERS_{queue}" for queue in queues}) - set(services)


def list_read() -> Iterator[str]:
    """The names that code reads as settings, where they are written out."""
    for path in product():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in READERS:
                name = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
                if isinstance(name, str) and re.fullmatch(r"[A-Z][A-Z0-9_]+", name):
                    yield name


def read_example() -> dict[str, str]:
    return dict(re.findall(r"^#?([A-Z][A-Z0-9_]*)=(.*)$", EXAMPLE.read_text(), re.MULTILINE))


@pytest.mark.spec("SCA-031")
def test_every_setting_that_code_reads_is_documented() -> None:
    read = set(list_read())
    assert (len(read) > 80, read - list_documented()) == (True, set())


@pytest.mark.spec("SCA-031")
def test_the_example_has_a_line_for_each_setting() -> None:
    assert (set(read_example()) - list_documented(), list_documented() - set(read_example())) == (set(), set())


@pytest.mark.spec("SCA-031")
def test_no_secret_stands_in_the_files() -> None:
    filled = {name: value for name, value in read_example().items() if SECRET.search(name) and value}
    files = [path for path in DEPLOY.rglob("*") if path.is_file()]
    wrong = [str(path) for path in files for line in path.read_text().splitlines() if _holds_secret(line)]
    assert (len(files) > 20, filled, wrong) == (True, {}, [])
    assert not (DEPLOY / "compose" / "secrets").exists()


def _holds_secret(line: str) -> bool:
    """A private key, an address with a password, or a value for a name of a secret."""
    with_password = re.search(r"://[^/\s:]+:[^@\s/…$]+@", line)
    named = re.match(r"\s*-?\s*([A-Z_]+)[=:] *(\S+)", line)
    return bool(
        "PRIVATE KEY" in line or with_password or (named and SECRET.search(named[1]) and "_FILE" not in named[1])
    )


def test_secrets_would_be_found() -> None:
    lines = [
        "DATABASE_URL=postgresql://a:b@c/d",
        "SECRET_KEY=abc",
        "-----BEGIN PRIVATE KEY-----",
        "  - MAIL_URL=smtp://x",
    ]
    assert [_holds_secret(line) for line in lines] == [True] * 4
    assert not _holds_secret("#SECRET_KEY=")


def test_links_of_the_folder_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)", (DEPLOY / "README.md").read_text())
    assert (len(links) > 5, [link for link in links if not (Path(DEPLOY) / link).exists()]) == (True, [])
