"""The containers: the Dockerfile, what the image holds, and the compose file."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from emailcheck.common.server import bounds
from tests.deploy.tools import DEPLOY, ROOT, run_tool

COMPOSE = DEPLOY / "compose"
WEBS, WORKERS = ("web-1", "web-2"), ("work-1", "work-2", "work-3")


def read_services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]
    return services


def read_seconds(span: str) -> int:
    return int(span.removesuffix("s"))


@pytest.mark.spec("SCA-031")
def test_compose_reads_the_file(tmp_path: Path) -> None:
    shutil.copytree(DEPLOY, tmp_path / "deploy")
    folder = tmp_path / "deploy" / "compose"
    shutil.copy(DEPLOY / "settings.env.example", folder / "settings.env")
    checked = run_tool("docker-compose", "--file", folder / "compose.yaml", "config", "--quiet")
    assert (checked.stdout, checked.returncode) == ("", 0)


@pytest.mark.spec("SCA-031")
def test_two_webs_three_workers_and_a_scheduler_end_in_time_and_run_closed_off() -> None:
    services = read_services()
    ours = {name: one for name, one in services.items() if one["image"].startswith("${IMAGE")}
    assert {*WEBS, *WORKERS, "scheduler", "migrate", "backup", "restore-test"} == set(ours)
    assert {services[name]["command"][0] for name in WEBS} == {"web"}
    assert {services[name]["command"][0] for name in WORKERS} == {"work"}
    assert len({ours[name]["environment"]["MACHINE_NAME"] for name in (*WEBS, *WORKERS)}) == 5
    closed = [(one["read_only"], one["cap_drop"], one["security_opt"]) for one in ours.values()]
    assert closed == [(True, ["ALL"], ["no-new-privileges:true"])] * len(ours)
    assert min(one["ulimits"]["nofile"] for one in ours.values()) > bounds.CONNECTIONS
    grace = services["web-1"]["environment"]["WEB_GRACE_SECONDS"]
    ends = [read_seconds(services[name]["stop_grace_period"]) for name in (*WEBS, *WORKERS)]
    assert min(ends) > bounds.drain_within_s(grace)
    assert "/readyz" in services["web-1"]["healthcheck"]["test"][-1]


@pytest.mark.spec("SCA-031")
def test_secrets_are_files_and_each_is_handed_over() -> None:
    files = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["secrets"]
    assert files == {name: {"file": f"secrets/{name}"} for name in files}
    for name, service in read_services().items():
        read = [value for key, value in service.get("environment", {}).items() if key.endswith("_FILE")]
        assert sorted(read) == sorted(f"/run/secrets/{secret}" for secret in service.get("secrets", [])), name


@pytest.mark.spec("SCA-031")
def test_the_proxy_is_trusted_and_nobody_else() -> None:
    services = read_services()
    address = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert {services[name]["environment"]["TRUSTED_PROXIES"] for name in (*WEBS, *WORKERS)} == {address}
    assert services["proxy"]["environment"]["WEBS"] == "web-1:8000 web-2:8000"


@pytest.mark.spec("SCA-031")
def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    checked = run_tool("hadolint", "--config", COMPOSE / ".hadolint.yaml", COMPOSE / "Dockerfile")
    assert (checked.stdout, checked.returncode) == ("", 0)


LANDING = """
from django.test import Client
answers = [Client().get(path) for path in ("/", "/documentation", "/api/plans", "/api/v1/openapi.json")]
print("statuses", *(answer.status_code for answer in answers))
"""


@pytest.mark.spec("SCA-031")
def test_the_product_runs_from_what_the_image_holds(tmp_path: Path) -> None:
    """The files that the last stage copies, without docker: it cannot build on every machine."""
    last = (COMPOSE / "Dockerfile").read_text().rpartition("\nFROM ")[2]
    home = tmp_path / "emailcheck"
    for line in re.findall(r"^COPY (?!--)(.+)$", last, re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            _copy_source(ROOT / source, home / target)
    _copy_source(ROOT / "frontend" / "dist", home / "frontend" / "dist")
    environment = {"PATH": "/usr/bin:/bin", "VAR_DIR": str(tmp_path / "var")}
    printed = ""
    for arguments in (["migrate", "-v", "0"], ["shell", "-v", "0", "-c", LANDING]):
        command = [sys.executable, "manage.py", *arguments]
        printed = subprocess.run(command, check=True, cwd=home, env=environment, capture_output=True, text=True).stdout
    assert printed.split() == ["statuses", "200", "200", "200", "200"]


def _copy_source(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    else:
        home = target if target.name == source.name else target / source.name
        home.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, home)
