"""The command line: lists in, verdicts out."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from validation.engine.__main__ import main, read_addresses
from validation.engine.evidence import CHECK_NAMES


@pytest.mark.parametrize(
    "text",
    [
        "a@x.com\nb@y.com\n",
        "email\na@x.com\n\n b@y.com \r\n",
        "name,Email\nAnn,a@x.com\nBob,b@y.com\n",
        "a@x.com;Ann\nb@y.com;Bob\n",
        'id\te-mail\n1\t"a@x.com"\n2\tb@y.com\n',
    ],
)
def test_lists_of_all_forms(text: str) -> None:
    assert read_addresses(text) == ["a@x.com", "b@y.com"]


def test_an_empty_list() -> None:
    assert read_addresses("\n\n") == []


def test_json_lines_in_the_order_of_the_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "list.txt"
    path.write_text("nothing\na@b.test\n", encoding="utf-8")
    assert main([str(path), "--json", "--dns", "127.0.0.1:1", "--route", "socks5://127.0.0.1:1"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["email"], row["category"], row["reason"]) for row in rows] == [
        ("nothing", "invalid", "syntax"),
        ("a@b.test", "invalid", "syntax"),
    ]
    assert [check["name"] for check in rows[0]["evidence"]] == list(CHECK_NAMES)


def test_it_runs_alone_from_standard_input() -> None:
    code = "import sys; sys.argv[0] = 'x'; import runpy; runpy.run_module('validation.engine', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, "-"], input=b"a@b.local\n", capture_output=True, check=True, timeout=60
    )
    assert done.stdout.decode().split("\t")[:3] == ["a@b.local", "invalid", "syntax"]
    assert b"1/1 addresses" in done.stderr


def test_the_engine_imports_no_framework() -> None:
    code = "import sys, validation.engine; print([name for name in sys.modules if name.split('.')[0] == 'django'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    assert done.stdout.strip() == b"[]"


def test_no_loop_is_left_behind() -> None:
    main(["/dev/null"])
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
