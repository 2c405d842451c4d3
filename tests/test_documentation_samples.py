"""The samples of the documentation, run exactly as the page shows them, with a test key in its place."""

import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import time_machine
from rest_framework.test import APIClient

from accounts.access.limits import MINUTE_S
from accounts.keys import request_log
from accounts.keys import services as keys
from accounts.keys.models import ApiRequest
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions import entitlements
from conftest import client_with, make_user
from emailcheck.common.api import throttles
from tests.documentation import page, panels
from validation.batches.models import Batch
from validation.webhooks import signing

CALLS = ("single", "bulk", "upload", "stream", "client", "/auth/me", "/validate/batches", "/analytics/dashboard")
VALID, INVALID, CATCH_ALL = (f"{name}@test.emailcheck.app" for name in ("valid", "invalid", "catch_all"))
END = "--- end of sample"
# Run the files one after another in one process, and say where each ends.
PYTHON = f"import runpy, sys\nfor file in sys.argv[1:]:\n    runpy.run_path(file, run_name='__main__'); print({END!r})"
NODE = f"for (const file of process.argv.slice(1)) {{ await import(file); console.log({END!r}); }}"
SECRET = signing.new_secret()
BODY = json.dumps({"event": "batch.completed", "data": {"name": "Zoë"}}, ensure_ascii=False)


@dataclass(frozen=True)
class Runner:
    """How a sample is run: the end of its file's name, what runs or compiles the file, and what that needs."""

    suffix: str
    command: tuple[str, ...]
    is_compiled: bool = False
    environment: dict[str, str] = field(default_factory=dict)

    def prepare(self, file: Path) -> tuple[str, ...]:
        """The command that runs a file. Skips the test where the language is not on this machine."""
        if not shutil.which(self.command[0]):
            pytest.skip(f"{self.command[0]} is missing")
        if self.is_compiled:
            run(*self.command, file.with_suffix(""), file, cwd=file.parent, **self.environment)
            return (str(file.with_suffix("")),)
        return (*self.command, str(file))


RUNNERS = {
    "curl": Runner("sh", ("bash",)),
    "python": Runner("py", (sys.executable,)),
    "javascript": Runner("mjs", ("node",)),
    "php": Runner("php", ("php",)),
    "ruby": Runner("rb", ("ruby",)),
    "go": Runner(
        "go", ("go", "build", "-o"), is_compiled=True, environment={"GOCACHE": f"{tempfile.gettempdir()}/emailcheck-go"}
    ),
}
TOGETHER = ("curl", "python", "javascript")
"""Those that have a test of their own."""


@pytest.fixture
def key(alice: User) -> str:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Documentation", test=True)[1]


@pytest.fixture
def samples(live_server: Any, settings: Any, key: str, tmp_path: Path) -> Callable[[str, str], list[Path]]:
    """Write the samples of a language to files, with the key that the page's script puts in."""
    settings.SITE_URL = live_server.url
    (tmp_path / "addresses.csv").write_text(f"name,email\nAnna,{VALID}\nBob,{INVALID}\n")

    def written(language: str, suffix: str) -> list[Path]:
        shown = panels(page(lang=language))
        files = [tmp_path / f"{name.strip('/').replace('/', '-')}.{suffix}" for name in CALLS]
        for name, file in zip(CALLS, files, strict=True):
            file.write_text(shown[name].replace("ec_test_YOUR_KEY", key))
        return files

    return written


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What the command prints. Raises `CalledProcessError`."""
    known = {"PATH": os.environ["PATH"], "HOME": str(cwd), **environment}
    done = subprocess.run(command, cwd=cwd, env=known, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def parts(output: str) -> dict[str, str]:
    return dict(zip(CALLS, (part.strip() for part in output.split(END)), strict=False))


def check_file(directory: Path) -> None:
    safe = (directory / "safe.csv").read_text()
    assert VALID in safe
    assert INVALID not in safe


@pytest.mark.spec("DOC-013", "API-021")
def test_the_samples_in_python_work(samples: Any, tmp_path: Path) -> None:
    said = parts(run(sys.executable, "-c", PYTHON, *samples("python", "py"), cwd=tmp_path))
    assert said["single"] == "valid True"
    assert said["bulk"] == f"{VALID} valid\n{INVALID} invalid"
    assert said["stream"] == f"1 {VALID} valid\n2 {CATCH_ALL} catch_all"
    assert said["upload"] == "completed"
    assert said["client"] == "['role']\nQUOTA_EXCEEDED"
    assert "'subscription_plan': 'growth'" in said["/auth/me"]
    assert "'validations': [" in said["/validate/batches"]
    assert "'monthly_usage': 0" in said["/analytics/dashboard"]
    check_file(tmp_path)


@pytest.mark.spec("DOC-013", "API-021")
def test_the_samples_in_javascript_work(samples: Any, tmp_path: Path) -> None:
    files = [file.as_uri() for file in samples("javascript", "mjs")]
    said = parts(run("node", "--input-type=module", "-e", NODE, *files, cwd=tmp_path))
    assert said["single"] == "valid true"
    assert said["bulk"] == f"{VALID} valid\n{INVALID} invalid"
    assert said["stream"] == f"1 {VALID} valid\n2 {CATCH_ALL} catch_all"
    assert said["upload"] == "completed"
    assert said["client"] == "[ 'role' ]\nQUOTA_EXCEEDED"
    assert "subscription_plan: 'growth'" in said["/auth/me"]
    assert "validations: [" in said["/validate/batches"]
    assert "monthly_usage: 0" in said["/analytics/dashboard"]
    check_file(tmp_path)


@pytest.mark.spec("DOC-013", "API-021")
def test_the_samples_in_curl_work(samples: Any, tmp_path: Path) -> None:
    files = samples("curl", "sh")
    said = {name: run("bash", file, cwd=tmp_path) for name, file in zip(CALLS, files, strict=True)}
    single = json.loads(said["single"])
    assert (single["category"], single["safe_to_send"], single["test"]) == ("valid", True, True)
    assert [row["category"] for row in json.loads(said["bulk"])["results"]] == ["valid", "invalid"]
    lines = [json.loads(line) for line in said["stream"].splitlines()]
    assert [(line["row"], line["category"]) for line in lines] == [(1, "valid"), (2, "catch_all")]
    assert json.loads(said["client"])["flags"] == ["role"]
    assert json.loads(said["/auth/me"])["subscription_plan"] == "growth"
    assert json.loads(said["/validate/batches"])["page"] == 1
    assert json.loads(said["/analytics/dashboard"])["monthly_usage"] == 0
    check_file(tmp_path)


@pytest.fixture
def wes(db: None) -> User:
    return make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)


@pytest.fixture
def upload(live_server: Any, settings: Any, wes: User, tmp_path: Path) -> Callable[[str], tuple[str, ...]]:
    """Write the sample of an upload in a language, with a test key of an account on Free; answers the command."""
    settings.SITE_URL = live_server.url
    shown_key = keys.create_key(organisation=wes.own_organisation, maker=wes, name="Documentation", test=True)[1]

    def written(language: str) -> tuple[str, ...]:
        runner = RUNNERS[language]
        file = tmp_path / f"upload.{runner.suffix}"
        file.write_text(panels(page(lang=language))["upload"].replace("ec_test_YOUR_KEY", shown_key))
        return runner.prepare(file)

    return written


def leave_calls(organisation: Organisation, *, left: int, seconds: float) -> None:
    """Use up the calls of a minute but some; the used ones are given back in so many seconds."""
    assert entitlements.find_rate_limit(organisation) == 10
    with time_machine.travel(time.time() - MINUTE_S + seconds, tick=False):
        for _ in range(10 - left):
            throttles.require_pass(throttles.Limit("test", 10, MINUTE_S), str(organisation.pk))


def start(command: tuple[str, ...], directory: Path, *emails: str) -> subprocess.Popen[str]:
    """Start a sample that uploads these addresses."""
    (directory / "addresses.csv").write_text("\n".join(["email", *emails]) + "\n")
    known = {"PATH": os.environ["PATH"], "HOME": str(directory)}
    return subprocess.Popen(
        command, cwd=directory, env=known, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.finding("G3")
@pytest.mark.spec("API-021")
@pytest.mark.parametrize("language", RUNNERS)
def test_a_sample_waits_with_one_call_left_in_the_minute(upload: Any, wes: User, tmp_path: Path, language: str) -> None:
    command = upload(language)
    leave_calls(wes.own_organisation, left=1, seconds=4)
    said, told = start(command, tmp_path, VALID, INVALID).communicate(timeout=60)
    assert (said.strip(), told) == ("completed", "")
    check_file(tmp_path)
    request_log.write_waiting()
    statuses = ApiRequest.objects.order_by("pk").values_list("status", flat=True)
    assert (statuses[0], 429 in statuses, list(statuses)[-1]) == (200, True, 200)


@pytest.mark.spec("API-021")
@pytest.mark.parametrize("language", RUNNERS)
@pytest.mark.parametrize(("email", "told"), [("out_of_credits", "request_id"), ("failing", "is failed: send it again")])
def test_a_sample_stops_at_a_refusal_and_writes_no_result(
    upload: Any, tmp_path: Path, language: str, email: str, told: str
) -> None:
    command = upload(language)
    run = start(command, tmp_path, f"{email}@test.emailcheck.app", VALID)
    said, error = run.communicate(timeout=60)
    assert (run.returncode != 0, told in said + error) == (True, True)
    assert not (tmp_path / "safe.csv").exists()


@pytest.mark.spec("API-021")
@pytest.mark.parametrize("language", TOGETHER)
@pytest.mark.parametrize(
    ("status", "told"),
    [("paused", "is paused: it goes on when its cause is gone"), ("cancelled", "is cancelled: somebody stopped it")],
)
def test_a_sample_tells_how_a_list_has_ended(
    upload: Any, tmp_path: Path, language: str, status: str, told: str
) -> None:
    run = start(upload(language), tmp_path, "slow@test.emailcheck.app")
    while not Batch.objects.filter(status__in=["queued", "processing"]).update(status=status):
        assert run.poll() is None
    _, error = run.communicate(timeout=60)
    assert (run.returncode != 0, told in error) == (True, True)
    assert not (tmp_path / "safe.csv").exists()


def signed(at: int) -> dict[str, str]:
    return signing.build_headers(message_id="msg_1", at=at, body=BODY, keys=[signing.new_secret(), SECRET])


# What came, and whether it is ours: as sent, with another body, of another sender, ten minutes ago.
def messages() -> list[tuple[dict[str, str], str, str]]:
    now = int(time.time())
    return [
        (signed(now), BODY, SECRET),
        (signed(now), BODY.replace("Zoë", "Eve"), SECRET),
        (signed(now), BODY, signing.new_secret()),
        (signed(now - 600), BODY, SECRET),
    ]


@pytest.mark.spec("DOC-055")
def test_the_sample_in_python_knows_our_messages(db: None, tmp_path: Path) -> None:
    file = tmp_path / "webhook.py"
    file.write_text(panels(page(lang="python"))["webhook"])
    is_ours = runpy.run_path(str(file))["is_ours"]
    judged = [is_ours(secret, headers, body.encode()) for headers, body, secret in messages()]
    assert judged == [True, False, False, False]


@pytest.mark.spec("DOC-055")
def test_the_sample_in_javascript_knows_our_messages(db: None, tmp_path: Path) -> None:
    (tmp_path / "webhook.mjs").write_text(panels(page(lang="javascript"))["webhook"])
    code = """import { isOurs } from "./webhook.mjs";
    const messages = JSON.parse(process.env.MESSAGES);
    const judged = messages.map(([headers, body, secret]) => isOurs(secret, headers, Buffer.from(body)));
    console.log(JSON.stringify(judged));"""
    (tmp_path / "judge.mjs").write_text(code)
    said = run("node", "judge.mjs", cwd=tmp_path, MESSAGES=json.dumps(messages()))
    assert json.loads(said) == [True, False, False, False]


@pytest.mark.spec("DOC-055")
def test_the_sample_with_openssl_makes_our_signature(db: None, tmp_path: Path) -> None:
    headers = signed(1_795_331_738)
    known = {"SECRET": SECRET, "ID": "msg_1", "TIMESTAMP": "1795331738", "BODY": BODY}
    said = run("bash", "-c", panels(page(lang="curl"))["webhook"], cwd=tmp_path, **known)
    assert f"v1,{said.strip()}" == headers["webhook-signature"].split()[1]


@pytest.mark.spec("DOC-013", "API-021")
@pytest.mark.parametrize("language", [one for one in RUNNERS if one not in TOGETHER])
def test_the_samples_in_the_other_languages_work(samples: Any, tmp_path: Path, language: str) -> None:
    runner = RUNNERS[language]
    files = dict(zip(CALLS, samples(language, runner.suffix), strict=True))
    said = {name: run(*runner.prepare(file), cwd=tmp_path).strip() for name, file in files.items()}
    assert said["single"] == "valid true"
    assert said["bulk"] == f"{VALID} valid\n{INVALID} invalid"
    assert said["stream"] == f"1 {VALID} valid\n2 {CATCH_ALL} catch_all"
    assert said["upload"] == "completed"
    assert said["client"].split() in (["role", "QUOTA_EXCEEDED"], ["[role]", "QUOTA_EXCEEDED"])
    for name in ("/auth/me", "/validate/batches", "/analytics/dashboard"):
        assert {"/auth/me": "growth", "/validate/batches": "validations"}.get(name, "monthly_usage") in said[name]
    check_file(tmp_path)


@pytest.mark.spec("DOC-013")
@pytest.mark.parametrize(
    ("language", "command", "said"),
    [
        pytest.param(language, command, said, marks=pytest.mark.skipif(not shutil.which(command[0]), reason="missing"))
        for language, command, said in (
            ("php", ("php", "-l"), "No syntax errors detected in sample\n"),
            ("go", ("gofmt", "-e", "-l"), ""),
            ("ruby", ("ruby", "-c"), "Syntax OK\n"),
        )
    ],
)
def test_the_other_samples_can_be_read(
    db: None, tmp_path: Path, language: str, command: tuple[str, ...], said: str
) -> None:
    shown = panels(page(lang=language))
    for name in (*CALLS, "webhook"):
        (tmp_path / "sample").write_text(shown[name])
        assert run(*command, "sample", cwd=tmp_path) == said


def shape(value: Any) -> Any:
    """Names and types, of lists those of the first entry."""
    if isinstance(value, dict):
        return {name: shape(one) for name, one in value.items()}
    if isinstance(value, list):
        return [shape(one) for one in value[:1]]
    return type(value).__name__


@pytest.mark.spec("DOC-021", "DOC-022", "DOC-023")
def test_the_answers_on_the_page_are_those_of_the_service(db: None, alice: User, key: str) -> None:
    api, shown = client_with(key), panels(page())
    calls: dict[str, Callable[[APIClient], Any]] = {
        "single.json": lambda api: api.post("/api/v1/validate/single", {"email": VALID}, format="json"),
        "bulk.json": lambda api: api.post("/api/v1/validate/bulk", {"emails": [VALID, INVALID]}, format="json"),
        "history.json": lambda api: api.get("/api/v1/validate/batches"),
        "analytics.json": lambda api: api.get("/api/v1/analytics/dashboard"),
        "me.json": lambda api: api.get("/api/v1/auth/me"),
        "error.json": lambda api: api.post("/api/v1/validate/single", {"email": "no-at-sign"}, format="json"),
    }
    answers = {name: call(api).json() for name, call in calls.items()}
    answers["invalid-key.json"] = client_with("ec_live_no").get("/api/v1/credits").json()
    assert {name: shape(json.loads(shown[name])) for name in answers} == {
        name: shape(answer) for name, answer in answers.items()
    }
    for name in ("error.json", "invalid-key.json"):
        assert json.loads(shown[name])["message"] == answers[name]["message"]
    single = json.loads(shown["single.json"])
    assert (single["category"], single["reason"], single["sentence"]) == (
        answers["single.json"]["category"], answers["single.json"]["reason"], answers["single.json"]["sentence"],
    )  # fmt: skip
