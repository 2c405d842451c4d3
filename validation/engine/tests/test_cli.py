"""The command line: lists in, verdicts out, over real processes, pipes and sockets."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.world import Sandbox
from validation.engine.__main__ import main
from validation.engine.profiles import SHIPPED
from validation.engine.verdict.evidence import CHECK_NAMES

BAD = ["nothing", "a@b.test", "a..b@c.com"]
COMMAND = [sys.executable, "-m", "validation.engine"]
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture
def silent_resolver() -> Iterator[str]:
    """A name server that hears everything and says nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def sandbox_options(running_sandbox: Sandbox) -> list[str]:
    """The way to the simulated world."""
    return [
        "--dns",
        f"127.0.0.1:{running_sandbox.dns_port}",
        "--route",
        f"socks5://127.0.0.1:{running_sandbox.socks_port}",
        "--helo=verifier.emailcheck.app",
        "--mail-from=probe@emailcheck.app",
    ]


def _started(*arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _bad_list(tmp_path: Path) -> str:
    path = tmp_path / "list.txt"
    path.write_text("\n".join(BAD), encoding="utf-8")
    return str(path)


def test_json_lines_in_the_order_of_the_input(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([_bad_list(tmp_path), "--json"]) == 0
    rows = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert [(row["email"], row["category"], row["reason"]) for row in rows] == [
        (email, "invalid", "syntax") for email in BAD
    ]
    assert [check["name"] for check in rows[0]["evidence"]] == list(CHECK_NAMES)
    assert {"confidence", "flags", "sentence", "transcript", "did_you_mean"} <= rows[0].keys()


def test_a_list_of_the_simulated_world_in_its_order(
    sandbox_options: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([str(SAMPLES / "customers-200.csv"), "--json", "--sessions=40", *sandbox_options]) == 0
    captured = capfdbinary.readouterr()
    rows = [json.loads(line) for line in captured.out.splitlines()]
    listed = (SAMPLES / "customers-200.csv").read_text(encoding="utf-8-sig").splitlines()[1:]
    assert [row["email"] in line for row, line in zip(rows, listed, strict=True)] == [True] * len(listed)
    assert {"valid", "invalid", "catch_all", "disposable"} <= {row["category"] for row in rows}
    assert captured.err == b""


def test_columns_for_readers(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = tmp_path / "list.txt"
    path.write_bytes(b"a@b.local\n\x1b[31m@b.com\n")
    assert main([str(path)]) == 0
    first, second = capfdbinary.readouterr().out.decode().splitlines()
    assert first.startswith("a@b.local                                 invalid     syntax              0.00  ")
    assert second.startswith("\ufffd[31m@b.com ")


def test_an_address_is_answered_while_others_are_still_typed(silent_resolver: str) -> None:
    with _started("--dns", silent_resolver) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(b"a@b.local\n")
        run.stdin.flush()
        assert run.stdout.readline().startswith(b"a@b.local ")
        run.stdin.write(b"c@d.local")
        run.stdin.close()
        assert run.stdout.read().startswith(b"c@d.local ")
    assert run.returncode == 0


def test_an_interrupted_run_prints_what_is_finished(silent_resolver: str) -> None:
    with _started("--dns", silent_resolver) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdin.write(b"a@b.local\nwaits@forever.com\nc@d.local\n")
        run.stdin.flush()
        assert run.stdout.readline().startswith(b"a@b.local ")
        run.send_signal(signal.SIGINT)
        rest, told = run.stdout.read(), run.stderr.read()
    assert run.returncode == 130
    assert rest.startswith(b"c@d.local ")
    assert told.startswith(b"2 addresses, ")
    assert told.endswith(b", interrupted\n")


def test_a_reader_that_goes_away_ends_the_run_quietly(silent_resolver: str) -> None:
    with _started("--json", "--dns", silent_resolver) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdin.write(b"a@b.local\n")
        run.stdin.flush()
        run.stdout.readline()
        run.stdout.close()
        run.stdin.write(b"c@d.local\n")
        run.stdin.close()
        told = run.stderr.read()
    assert (run.returncode, told) == (141, b"")


def test_progress_when_it_is_asked_for(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([_bad_list(tmp_path), "--progress"]) == 0
    assert capfdbinary.readouterr().err.startswith(b"3 of 3 addresses, ") is False
    path = tmp_path / "ended.txt"
    path.write_text("\n".join([*BAD, ""]), encoding="utf-8")
    assert main([str(path), "--progress"]) == 0
    assert capfdbinary.readouterr().err.startswith(b"3 of 3 addresses, ")


def test_a_list_that_is_not_there(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["/nowhere/list.txt"]) == 1
    assert capfdbinary.readouterr() == (b"", b"/nowhere/list.txt: No such file or directory\n")


def test_a_full_disk(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMMAND, _bad_list(tmp_path)], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (1, f"{_bad_list(tmp_path)}: No space left on device\n".encode())


@pytest.mark.parametrize(
    "arguments",
    [
        ["--route", "pigeon"],
        ["--route", "direct;helo=a b"],
        ["--port", "0"],
        ["--deadline", "-1"],
        ["--helo", "a\r\nb"],
        ["--dns", "127.0.0.1:x"],
        ["--profiles", "/nowhere/profiles.toml"],
    ],
)
def test_a_wrong_command_line(arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert capfdbinary.readouterr().err.splitlines()[-1].startswith(b"python -m validation.engine: error: argument ")


@pytest.mark.finding("A3")
class TestLimitsOfOperators:
    """An operator's limits can be chosen; what is wrong in them is said before anybody is asked."""

    @pytest.mark.parametrize(
        ("rate", "problem"),
        [
            ("yahu=1200", "no operator is called 'yahu'; there are google, microsoft, yahoo, "),
            ("yahoo", "'yahoo' is not OPERATOR=N with a whole number from 0 on"),
            ("yahoo=", "'yahoo=' is not OPERATOR=N with a whole number from 0 on"),
            ("yahoo=-1", "'yahoo=-1' is not OPERATOR=N with a whole number from 0 on"),
            ("yahoo=1.5", "'yahoo=1.5' is not OPERATOR=N with a whole number from 0 on"),
            ("yahoo=\u0663", "'yahoo=\u0663' is not OPERATOR=N with a whole number from 0 on"),
        ],
    )
    def test_a_wrong_rate(self, rate: str, problem: str, capfd: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit, match="2"):
            main(["--rate", "google=12000", "--rate", rate])
        told = capfd.readouterr().err.splitlines()[-1]
        assert told.startswith(f"python -m validation.engine: error: argument --rate: {problem}")

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ('[yahoo]\nsuffixes = [".yahoodns.net"]\nper_minute = -1\n', ":3: yahoo.per_minute must be"),
            ('[yahoo]\nsuffixes = [".yahoodns.net"]\nspeed = 1\n', ":3: yahoo.speed is no field of a profile"),
            ("[yahoo\n", ":1: "),
        ],
    )
    def test_a_wrong_file(self, text: str, problem: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "profiles.toml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit, match="2"):
            main(["--profiles", str(path)])
        told = capfd.readouterr().err.splitlines()[-1]
        assert told.startswith(f"python -m validation.engine: error: argument --profiles: {path}{problem}")

    def test_a_file_and_rates_in_it(self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        path = tmp_path / "profiles.toml"
        path.write_text('[ours]\nsuffixes = [".ours.net"]\nper_minute = 60\n', encoding="utf-8")
        assert main([_bad_list(tmp_path), "--profiles", str(path), "--rate", "ours=0", "--rate", "ours=120"]) == 0
        with pytest.raises(SystemExit, match="2"):
            main([_bad_list(tmp_path), "--profiles", str(path), "--rate", "google=120"])
        assert capfdbinary.readouterr().err.endswith(b"no operator is called 'google'; there are ours\n")

    def test_a_route_with_a_name_of_its_own(self, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        with pytest.raises(SystemExit, match="2"):
            main(
                [_bad_list(tmp_path), "--route", "direct:192.0.2.1;helo=a.us.com", "--route", "direct:x;helo=b.us.com"]
            )
        assert b"argument --route: " in capfdbinary.readouterr().err

    def test_the_help_names_what_waits(self, capfd: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit, match="0"):
            main(["--help"])
        told = capfd.readouterr().out
        assert "Who stands in line for such a limit of ours is asked later" in told
        assert str(SHIPPED) in told


def test_the_engine_imports_no_framework() -> None:
    code = "import sys, validation.engine.__main__; print([name for name in sys.modules if name.startswith('django')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=300)
    assert done.stdout.strip() == b"[]"
