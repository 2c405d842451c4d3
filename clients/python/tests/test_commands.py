"""The command line: what goes in, what comes out where, how it ends."""

import csv
import json
import signal
import subprocess
import time
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import openpyxl
import pytest
from tests.stack import free_port, wait_until
from validation.webhooks import signing

from clients.python.tests.commands import PROGRAM, build_environment, install_command, run_command, run_on_terminal
from clients.python.tests.conftest import Product
from clients.python.tests.cutting_proxy import CuttingProxy

pytestmark = pytest.mark.xdist_group("client")
COMMANDS = ["check", "file", "watch", "results", "credits", "keys test", "listen"]
RECORDED = Path(__file__).parent / "recorded_help.txt"
VALID, INVALID = "valid@test.emailcheck.app", "invalid@test.emailcheck.app"


@pytest.fixture
def trial(product: Product) -> dict[str, str]:
    """The environment of somebody with a key of test mode."""
    return settings_of(product, product.trial)


@pytest.fixture
def live(product: Product) -> dict[str, str]:
    return settings_of(product, product.key)


def settings_of(product: Product, key: str) -> dict[str, str]:
    return build_environment(
        EMAILCHECK_API_KEY=key, EMAILCHECK_BASE_URL=product.address, EMAILCHECK_ALLOW_HTTP="1"
    )  # fmt: skip


@pytest.fixture
def long_list(tmp_path: Path) -> Path:
    path = tmp_path / "long.csv"
    path.write_text("email\n" + "".join(f"valid+{n}@test.emailcheck.app\n" for n in range(1_200)))
    return path


@pytest.mark.spec("SDK-008")
def test_help_is_as_recorded() -> None:
    shown = [run_command(*command.split(), "--help", environment=build_environment()) for command in ["", *COMMANDS]]
    assert {one.status for one in shown} == {0}
    assert "\n\n".join(one.out for one in shown) == RECORDED.read_text()
    for one in shown[1:]:
        assert all(f"\n  {status}  " in one.out for status in range(5))


@pytest.mark.spec("SDK-008")
def test_the_exit_status_says_what_came_out(trial: dict[str, str]) -> None:
    nobody = trial | {"EMAILCHECK_BASE_URL": f"http://127.0.0.1:{free_port()}"}
    stranger = trial | {"EMAILCHECK_API_KEY": "ec_test_stranger"}
    good, bad, none = (f"{name}@test.emailcheck.app" for name in ("valid", "invalid", "out_of_credits"))
    ended = [
        run_command("check", good, environment=trial),
        run_command("check", good, bad, environment=trial),
        run_command("check", environment=trial),
        run_command("check", good, environment=build_environment()),
        run_command("check", none, environment=trial),
        run_command("check", good, environment=stranger),
        run_command("watch", "bat_unknown", environment=trial),
    ]
    assert [one.status for one in ended] == [0, 1, 2, 2, 3, 3, 3]
    assert ended[0].out == f"{VALID}\tvalid\tmailbox_exists\tSafe to send\n"
    assert [bool(one.out) for one in ended] == [True, True, False, False, False, False, False]
    assert "You need 1 but have 0" in ended[4].err
    assert ended[3].err.startswith("emailcheck: There is no key. Set EMAILCHECK_API_KEY")
    assert run_command("credits", environment=nobody).status == 4


def in_shell(script: str, environment: dict[str, str], folder: Path) -> tuple[int, str, str]:
    """Run a script in which `emailcheck` is the command."""
    settings = environment | {"PATH": install_command(folder)}
    ended = subprocess.run(
        ["bash", "-c", script], env=settings, cwd=folder, capture_output=True, check=False, timeout=120
    )
    return ended.returncode, ended.stdout.decode(), ended.stderr.decode()


@pytest.mark.spec("SDK-008", "SDK-009")
def test_a_column_is_piped_in_and_json_is_an_object_a_line(trial: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "list.tsv").write_text(f"1\tA\t{VALID}\n2\tB\t{INVALID}\n\n")
    status, out, err = in_shell("cut -f3 list.tsv | emailcheck check -", trial, tmp_path)
    assert (status, err) == (1, "")
    assert [line.split("\t")[:2] for line in out.splitlines()] == [[VALID, "valid"], [INVALID, "invalid"]]
    status, out, _ = in_shell("cut -f3 list.tsv | emailcheck check - --json", trial, tmp_path)
    rows = [json.loads(line) for line in out.splitlines()]
    assert [(row["row"], row["email"]) for row in rows] == [(1, VALID), (2, INVALID)]
    one = run_command("check", "--json", "-", environment=trial, given=f" {VALID} \n")
    assert (one.status, json.loads(one.out)["email"], one.err) == (0, VALID, "")


@pytest.mark.spec("SDK-009")
def test_progress_is_for_a_terminal_alone(trial: dict[str, str]) -> None:
    silent = run_command("check", VALID, INVALID, environment=trial)
    shown = run_on_terminal("check", VALID, INVALID, environment=trial)
    assert (silent.err, silent.out) == ("", shown.out)
    assert "of 2" in shown.err


@pytest.mark.spec("SDK-009")
def test_a_closed_output_ends_quietly(trial: dict[str, str], long_list: Path, tmp_path: Path) -> None:
    script = f'emailcheck file {long_list} --yes | head -n 1; echo "${{PIPESTATUS[0]}}"'
    _, out, err = in_shell(script, trial, tmp_path)
    assert (out.splitlines()[1:], err) == (["141"], "")


@pytest.mark.spec("SDK-009")
def test_ctrl_c_leaves_the_list_running_and_says_how_to_come_back(trial: dict[str, str], proxy: CuttingProxy) -> None:
    names = ["slow@test.emailcheck.app", VALID]
    through = trial | {"EMAILCHECK_BASE_URL": proxy.address}
    command = subprocess.Popen([*PROGRAM, "check", *names], env=through, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: len(proxy.seen) > 2, 30)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=30)
    job = proxy.seen[-1].line.split("/")[5]
    assert (command.returncode, out) == (130, b"")
    assert err.decode() == f"\n{job} goes on. To wait for it: emailcheck watch {job}\n"
    watched = run_command("watch", job, environment=trial)
    assert (watched.status, watched.out) == (0, f"{job}\tcompleted\t2 of 2 safe to send to\n")


@pytest.mark.spec("SDK-010")
def test_the_key_comes_from_the_environment_or_a_file_of_ones_own(
    trial: dict[str, str], product: Product, tmp_path: Path
) -> None:
    path = tmp_path / "config.ini"
    path.write_text(f"[emailcheck]\nkey = {product.trial}\nbase_url = {product.address}\nallow_http = yes\n")
    alone = build_environment(EMAILCHECK_CONFIG=str(path))
    statuses = []
    for mode in (0o644, 0o640, 0o700, 0o604, 0o600):
        path.chmod(mode)
        statuses.append(run_command("credits", environment=alone).status)
    assert statuses == [2, 2, 2, 2, 0]
    assert run_command("credits", environment=alone | {"EMAILCHECK_API_KEY": "ec_test_other"}).status == 3
    (tmp_path / "emailcheck").mkdir()
    path.rename(tmp_path / "emailcheck" / "config.ini")
    assert run_command("credits", environment=build_environment(XDG_CONFIG_HOME=str(tmp_path))).status == 0
    refused = [
        run_command("credits", environment=trial | change)
        for change in (
            {"EMAILCHECK_API_KEY": f"{product.trial}\n"},
            {"EMAILCHECK_ALLOW_HTTP": ""},
            {"EMAILCHECK_ALLOW_HTTP": "no"},
        )
    ]
    assert [one.status for one in refused] == [2, 2, 2]
    assert not [one.err for one in refused if product.trial[16:] in one.err]
    help_texts = RECORDED.read_text()
    assert "--key" not in help_texts


@pytest.mark.spec("SDK-010")
def test_a_key_is_tested_without_spending(live: dict[str, str], trial: dict[str, str], product: Product) -> None:
    before = product.balance()
    shown = run_command("keys", "test", environment=live)
    lines = dict(line.split(maxsplit=1) for line in shown.out.replace("calls a minute", "calls").splitlines())
    assert (shown.status, lines["mode"], lines["scopes"], lines["calls"]) == (0, "live", "read, write", "any number")
    told = json.loads(run_command("keys", "test", "--json", environment=trial).out)
    assert (told["test"], told["scopes"], told["name"], told["credits"]) == (True, ["read", "write"], "Client", 100_000)
    left = run_command("credits", environment=live)
    assert (left.out.split()[0], product.balance()) == (str(before), before)


@pytest.mark.spec("SDK-011")
def test_files_that_cannot_be_sent_are_refused_in_words(trial: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text(" \n")
    (tmp_path / "large.csv").write_text("email\n" + f"{VALID}\n" * 450_000)
    (tmp_path / "large.xlsx").write_bytes(b"PK" + bytes(11 * 2**20))
    (tmp_path / "wide.csv").write_bytes("email\n".encode("utf-16") * 900_000)
    said = {
        name: run_command("file", tmp_path / name, *more, environment=trial)
        for name, *more in ([""], ["none.csv"], ["empty.csv"], ["large.csv"], ["large.xlsx"], ["wide.csv", "--split"])
    }
    assert [one.status for one in said.values()] == [2] * 6
    assert said[""].err == f"emailcheck: {tmp_path} is a directory.\n"
    assert said["none.csv"].err == f"emailcheck: There is no file {tmp_path}/none.csv.\n"
    assert said["empty.csv"].err == f"emailcheck: {tmp_path}/empty.csv is empty.\n"
    assert "With --split it is sent in parts" in said["large.csv"].err
    assert "Save each sheet as CSV" in said["large.xlsx"].err
    assert "UTF-16" in said["wide.csv"].err
    assert "Save each" in run_command("file", tmp_path / "large.xlsx", "--split", environment=trial).err
    (tmp_path / "list.doc").write_text(VALID)
    assert run_command("file", tmp_path / "list.doc", environment=trial).status == 3


@pytest.mark.spec("SDK-011")
def test_a_long_file_is_sent_in_parts_and_comes_back_as_one(trial: dict[str, str], tmp_path: Path) -> None:
    """14 MB, because each row has a long cell, with a line break in it; the header is sent with each part."""
    path, out = tmp_path / "long.csv", tmp_path / "out.csv"
    names = [f"{'valid' if n % 3 else 'invalid'}+{n}@test.emailcheck.app" for n in range(700)]
    cell = '"' + "x" * 10_000 + "\n" + "y" * 10_000 + '"'
    path.write_text("note,address\n" + "".join(f"{cell},{name}\n" for name in names))
    ended = run_command("file", path, "--split", "--column", "address", "-o", out, environment=trial)
    assert (ended.status, ended.out, ended.err) == (1, "", "")
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert [(int(row["row"]), row["email"]) for row in rows] == list(enumerate(names, start=1))
    cut = run_command("file", path, "--split", "--max-credits", 600, "--json", environment=trial)
    assert [json.loads(line)["row"] for line in cut.out.splitlines()] == list(range(1, 601))


@pytest.mark.spec("SDK-011")
def test_options_of_a_file(trial: dict[str, str], tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.create_sheet("Second").append(["who", "where"])
    for where in (f"Ann <{VALID}>", INVALID):
        book["Second"].append(["x@y.zz", where])
    book.save(tmp_path / "list.xlsx")
    chosen = ("file", tmp_path / "list.xlsx", "--sheet", "Second", "--column", "where")
    everything = run_command(*chosen, "--repair", environment=trial)
    safe = run_command(*chosen, "--repair", "--only", "safe", "-o", tmp_path / "safe.ndjson", environment=trial)
    as_it_stands = run_command(*chosen, "--max-credits", 1, environment=trial)
    cells = [row.split(",")[:4] for row in everything.out.splitlines()]
    assert cells[1:3] == [["1", f"Ann <{VALID}>", VALID, "valid"], ["2", INVALID, INVALID, "invalid"]]
    assert [json.loads(line)["row"] for line in (tmp_path / "safe.ndjson").read_text().splitlines()] == [1]
    assert (everything.status, safe.status, as_it_stands.status) == (1, 1, 1)
    assert as_it_stands.out.splitlines()[1].startswith(f"1,Ann <{VALID}>,Ann <{VALID}>,invalid,syntax")


@pytest.mark.spec("SDK-009", "SDK-011")
def test_no_cell_of_a_result_runs_in_a_spreadsheet(trial: dict[str, str], tmp_path: Path) -> None:
    texts = ["=cmd|x!A0", "@sum", "-2+3", "+1", f"+tag{VALID}", f"={VALID}"]
    ended = run_command("file", write_list(tmp_path, *texts), environment=trial)
    cells = [row["email"] for row in csv.DictReader(ended.out.splitlines())]
    assert cells == ["'=cmd|x!A0", "'@sum", "'-2+3", "'+1", f"+tag{VALID}", f"'={VALID}"]


@pytest.mark.spec("SDK-011")
def test_it_asks_before_it_spends_more_than_a_thousand_credits(
    trial: dict[str, str], proxy: CuttingProxy, long_list: Path
) -> None:
    through = trial | {"EMAILCHECK_BASE_URL": proxy.address}
    ended = [
        run_command("file", long_list, environment=through),
        run_on_terminal("file", long_list, environment=through, typed="n\n"),
        run_on_terminal("file", long_list, environment=through, typed="\n"),
    ]
    assert [one.status for one in ended] == [2, 2, 2]
    assert "Say --yes" in ended[0].err
    assert "It can cost 1,200 of 100,000 credits. Go on? [y/N]" in ended[1].err
    assert not [call.line for call in proxy.seen if "/start" in call.line]
    yes = [
        run_on_terminal("file", long_list, environment=through, typed="y\n"),
        run_command("file", long_list, "--yes", environment=through),
    ]
    assert [(one.status, len(one.out.splitlines())) for one in yes] == [(0, 1_201)] * 2


@pytest.mark.spec("SDK-008", "SDK-011")
def test_what_costs_more_than_there_is_starts_nothing(live: dict[str, str], product: Product, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    before, lists = product.balance(), product.count_lists()
    path.write_text("email\n" + "".join(f"a{n}@harborquill.com\n" for n in range(before + 1)))
    ended = run_command("file", path, "--yes", environment=live)
    assert (ended.status, product.balance(), product.count_lists()) == (3, before, lists)
    assert ended.err == f"emailcheck: It takes {before + 1:,} credits, and there are {before:,}.\n"


@pytest.mark.spec("SDK-008")
def test_results_are_written_in_two_forms_and_from_any_row(trial: dict[str, str], tmp_path: Path) -> None:
    made = run_command("check", VALID, INVALID, VALID.replace("@", "+1@"), "--json", environment=trial)
    assert made.status == 1
    started = run_command("file", write_list(tmp_path, VALID, INVALID), "--json", environment=trial)
    job = newest_job(trial)
    table = run_command("results", job, environment=trial)
    lines = run_command("results", job, "--format", "ndjson", environment=trial)
    behind = run_command("results", job, "--after-row", 1, "--only", "do_not_send", "--json", environment=trial)
    assert lines.out == started.out
    assert table.out.splitlines()[0] == "row,email,email_checked,category,reason,label,confidence_score,did_you_mean"
    assert [line.split(",")[:2] for line in table.out.splitlines()[1:]] == [["1", VALID], ["2", INVALID]]
    assert [json.loads(line)["row"] for line in behind.out.splitlines()] == [2]
    assert json.loads(run_command("watch", job, "--json", environment=trial).out)["batch_id"] == job


def write_list(folder: Path, *addresses: str) -> Path:
    path = folder / "list.csv"
    path.write_text("email\n" + "".join(f"{one}\n" for one in addresses))
    return path


def newest_job(environment: dict[str, str]) -> str:
    url = f"{environment['EMAILCHECK_BASE_URL']}/api/v1/validate/batches"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {environment['EMAILCHECK_API_KEY']}"})
    with urllib.request.urlopen(request) as answer:
        return str(json.load(answer)["batches"][0]["batch_id"])


@pytest.mark.spec("SDK-012")
def test_webhooks_are_received_verified_and_marked() -> None:
    secret, port = signing.new_secret(), free_port()
    environment = build_environment(EMAILCHECK_WEBHOOK_SECRET=secret)
    line = [*PROGRAM, "listen", "--port", str(port), "--count", "2"]
    with subprocess.Popen(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        assert command.stderr is not None
        assert command.stderr.readline().decode() == f"Listening on http://127.0.0.1:{port}\n"
        body = '{"event":"batch.completed","data":{"batch_id":"bat_1"}}'
        headers = signing.build_headers(message_id="msg_1", at=int(time.time()), body=body, keys=[secret])
        assert [post(port, body, headers), post(port, body + " ", headers)] == [204, 400]
        out, _ = command.communicate(timeout=30)
    lines = out.decode().splitlines()
    assert (lines[0], lines[1].startswith("REFUSED: No signature is of this"), len(lines)) == (body, True, 2)
    assert command.returncode == 0
    assert run_command("listen", environment=build_environment()).status == 2


def post(port: int, body: str, headers: dict[str, str]) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{port}/", body.encode(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except HTTPError as refused:
        with refused:
            return refused.code
