"""The units of systemd, read by `systemd-analyze`: sound, closed off, and in step with how the product ends."""

import configparser
import re
import shutil
import sys
from datetime import date
from pathlib import Path

import pytest
from django.core.management import get_commands

from emailcheck.common.server import bounds
from tests.deploy.tools import DEPLOY, run_tool

UNITS = DEPLOY / "systemd"
SERVICES = ("web@", "work@", "hooks@", "scheduler", "migrate", "backup", "restore-test")
COMMANDS = {
    "web@": "web",
    "work@": "work --queues ${QUEUES}",
    "hooks@": "work --queues hooks",
    "scheduler": "scheduler",
    "migrate": "migrate --no-input",
    "backup": "backup",
    "restore-test": "test_restore",
}
MOST_EXPOSED = 20  # tenths; systemd calls up to 2.0 "OK", and a service without any sandbox has 9.6


class Unit(configparser.RawConfigParser):
    """A unit's own file; of a key that stands there more than once, the last."""

    def __init__(self, name: str) -> None:
        super().__init__(strict=False, interpolation=None)
        self.read(UNITS / name)

    def optionxform(self, optionstr: str) -> str:
        """Keys as they are written."""
        return optionstr


def copy_units(directory: Path) -> Path:
    """The units as they are installed, but for the interpreter: /opt/emailcheck is not on this machine."""
    shutil.copytree(UNITS, directory / "units")
    for path in (directory / "units").rglob("emailcheck-*.service"):
        if path.is_file():
            path.write_text(path.read_text().replace("/opt/emailcheck/.venv/bin/python", sys.executable))
    return directory / "units"


@pytest.mark.spec("SCA-031")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    units = copy_units(tmp_path)
    files = sorted(path for path in units.iterdir() if path.is_file())
    checked = run_tool("systemd-analyze", "verify", "--man=no", *files, SYSTEMD_UNIT_PATH=f"{units}:")
    assert (len(files), checked.stdout, checked.returncode) == (len(SERVICES) + 3, "", 0)


@pytest.mark.spec("SCA-031")
@pytest.mark.parametrize("name", SERVICES)
def test_each_service_is_closed_off(name: str) -> None:
    unit = UNITS / f"emailcheck-{name}.service"
    arguments = ("security", "--offline=yes", "--no-pager", f"--threshold={MOST_EXPOSED}", unit)
    checked = run_tool("systemd-analyze", *arguments, SYSTEMD_UNIT_PATH=f"{UNITS}:")
    assert checked.returncode == 0, checked.stdout[-300:]


@pytest.mark.spec("SCA-031")
@pytest.mark.parametrize("name", SERVICES)
def test_each_service_runs_a_command_of_the_product(name: str) -> None:
    service = Unit(f"emailcheck-{name}.service")["Service"]
    assert service["ExecStart"] == f"/opt/emailcheck/.venv/bin/python manage.py {COMMANDS[name]}"
    assert COMMANDS[name].split()[0] in get_commands()
    assert service.get("Restart") == ("always" if service["Type"] == "exec" else None)


@pytest.mark.spec("SCA-031")
def test_processes_have_the_files_and_the_time_that_they_need() -> None:
    common = Unit("emailcheck-.service.d/common.conf")["Service"]
    assert int(common["LimitNOFILE"]) > bounds.CONNECTIONS
    assert (common["KillSignal"], common["KillMode"]) == ("SIGTERM", "mixed")
    web, work, hooks = (Unit(f"emailcheck-{name}@.service")["Service"] for name in ("web", "work", "hooks"))
    assert web["Environment"] == "EMAILCHECK_PORT=%i WEB_GRACE_SECONDS=5"
    assert min(int(one["TimeoutStopSec"]) for one in (web, work, hooks)) > bounds.drain_within_s(5)


@pytest.mark.spec("SCA-031")
def test_secrets_come_from_files_of_root_alone() -> None:
    text = (UNITS / "emailcheck-.service.d" / "common.conf").read_text()
    loaded = dict(re.findall(r"^LoadCredential=(\w+):(\S+)$", text, re.MULTILINE))
    read = dict(re.findall(r"^Environment=(\w+)_FILE=%d/(\w+)$", text, re.MULTILINE))
    assert loaded == {name: f"/etc/emailcheck/secrets/{name}" for name in loaded}
    assert read == {name.upper(): name for name in loaded}
    assert {"SECRET_KEY", "FIELD_ENCRYPTION_KEY", "DATABASE_URL", "FILE_STORE_SECRET", "PAYPAL_CLIENT_SECRET"} <= set(
        read
    )


@pytest.mark.spec("SCA-033")
@pytest.mark.parametrize(("name", "days"), [("backup", 1), ("restore-test", 7)])
def test_timers_start_what_they_are_named_after(name: str, days: int) -> None:
    timer = Unit(f"emailcheck-{name}.timer")
    spelt = timer["Timer"]["OnCalendar"]
    shown = run_tool(
        "systemd-analyze", "calendar", "--iterations=2", "--base-time=2026-11-27 12:00:00 UTC", spelt
    ).stdout
    days_of = re.findall(r"(?:Next elapse|Iter\. #2|Iteration #2): \w+ (\S+)", shown)
    first, second = map(date.fromisoformat, days_of)
    assert ((second - first).days, timer["Timer"]["Persistent"]) == (days, "true")
    assert (UNITS / f"emailcheck-{name}.service").exists()
