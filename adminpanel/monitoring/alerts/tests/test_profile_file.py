"""Operators' limits are a file: a bad one stops the start, a changed one is taken over, a bad change is kept out."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings as project

from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.measurements import samples
from validation.egress import polling
from validation.egress.polling import POLL_EVERY_S, ProfileFile
from validation.egress.settings import read_routes
from validation.engine.profiles import ProfileError, Profiles

GOOD = '[yahoo]\nsuffixes = [".yahoodns.net"]\nper_minute = 1200\n'
QUICK = GOOD.replace("1200", "9000")
BAD = GOOD.replace("1200", "-5")


class Clock:
    """Goes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written = tmp_path / "profiles.toml"
    written.write_text(GOOD)
    return written


def start_process(tmp_path: Path, *command: str, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **changes}
    told = [sys.executable, "manage.py", *command]
    return subprocess.run(told, cwd=project.BASE_DIR, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.spec("SCA-012")
def test_a_bad_file_stops_the_start_and_names_the_line(tmp_path: Path, path: Path) -> None:
    path.write_text(BAD)
    ended = start_process(tmp_path, "check", EGRESS_PROFILES=str(path))
    assert ended.returncode == 1
    assert ended.stderr.splitlines()[-1].endswith(
        f"SettingError: EGRESS_PROFILES cannot be read: {path}:3: yahoo.per_minute must be a number of at least 0"
    )


@pytest.mark.spec("SCA-012")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BAD, ":3: yahoo.per_minute must be a number of at least 0"),
        (GOOD + "per_hour = 5\n", ":4: yahoo.per_hour is no field of a profile"),
        (GOOD + "warm_up = [0.1, 2]\n", ":4: yahoo.warm_up must be a list of shares above 0, up to 1"),
        (GOOD + "per_day = \n", ":4: Invalid value (at line 4, column 11)"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(path: Path, text: str, said: str) -> None:
    path.write_text(text)
    with pytest.raises(ProfileError) as refused:
        ProfileFile(path)
    assert str(refused.value) == f"{path}{said}"


@pytest.mark.spec("SCA-012")
def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProfileError) as refused:
        ProfileFile(tmp_path / "none.toml")
    assert str(refused.value) == f"{tmp_path / 'none.toml'}: No such file or directory"


def yahoo_rate(profiles: Profiles) -> int:
    return profiles.named("yahoo").per_minute


@pytest.mark.spec("SCA-012")
def test_a_change_is_taken_over_within_a_minute(path: Path) -> None:
    clock = Clock()
    file = ProfileFile(path, clock)
    before = file.current()
    path.write_text(QUICK)
    clock.now += POLL_EVERY_S - 0.1
    assert (file.current() is before, yahoo_rate(before)) == (True, 1_200)
    clock.now += 0.1
    after = file.current()
    assert (yahoo_rate(after), POLL_EVERY_S < 60) == (9_000, True)
    clock.now += POLL_EVERY_S
    assert file.current() is after


@pytest.mark.spec("SCA-012")
def test_a_bad_change_leaves_the_limits_as_they_were_until_it_is_right(path: Path) -> None:
    clock = Clock()
    file = ProfileFile(path, clock)
    before = file.current()
    for spoil, problem in (
        (lambda: path.write_text(BAD), f"{path}:3: yahoo.per_minute must be a number of at least 0"),
        (path.unlink, f"{path}: No such file or directory"),
    ):
        spoil()
        clock.now += POLL_EVERY_S
        assert (file.current() is before, file.problem()) == (True, problem)
    path.write_text(QUICK)
    clock.now += POLL_EVERY_S
    assert (yahoo_rate(file.current()), file.problem()) == (9_000, "")


@pytest.mark.django_db
@pytest.mark.spec("SCA-012")
def test_a_bad_change_raises_an_alert_that_ends_with_it(
    path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EGRESS_PROFILES = path
    found = []
    with time_machine.travel("2026-11-23T10:00:00Z", tick=False) as clock:
        monkeypatch.setitem(polling._files, path, ProfileFile(path, time.time))
        for text in (GOOD, BAD, BAD, QUICK):
            path.write_text(text)
            clock.shift(60)
            samples.store_samples()
            alerts.update_alerts()
            found.append(
                [(alert.severity, alert.message) for alert in alerts.list_open_alerts() if "limits" in alert.title]
            )
    words = f"The limits of before stay until it is right: {path}:3: yahoo.per_minute must be a number of at least 0"
    assert found == [[], [("warning", words)], [("warning", words)], []]


@pytest.mark.spec("SCA-011")
def test_routes_are_egress_addresses_with_names_of_their_own() -> None:
    routes = "direct:203.0.113.7;helo=out7.example.com , socks5://out:secret@192.0.2.1:1080;helo=out8.example.com"
    assert read_routes(routes) == (
        "direct:203.0.113.7;helo=out7.example.com",
        "socks5://out:secret@192.0.2.1:1080;helo=out8.example.com",
    )


@pytest.mark.spec("SCA-011")
@pytest.mark.parametrize(
    ("routes", "said"),
    [
        ("direct:203.0.113.7,direct:203.0.113.7;helo=a.example", "routes 1 and 2 are the same egress address"),
        ("direct,http://192.0.2.1", "route 2 is neither direct, direct:SOURCE_ADDRESS nor socks5://host:port"),
        ("direct:here", "route 1 cannot be used: the source address is no IP address"),
        ("socks5://out:secret", "route 1 cannot be used: it is no socks5://host:port"),
        ("socks5://out:sec/ret@192.0.2.1", "route 1 cannot be used: it is no socks5://host:port"),
        ("direct;helo=", "the HELO name of route 1 is empty"),
        ("direct;helo=two words", "the HELO name of route 1 is no host name"),
        ("direct;name=out7.example.com", "route 1 has an option other than ;helo=NAME"),
        (",", "it names no route"),
    ],
)
def test_a_route_that_cannot_be_used_is_named_without_its_password(routes: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"route|HELO") as refused:
        read_routes(routes)
    assert str(refused.value) == said


@pytest.mark.spec("SCA-011")
def test_a_malformed_route_stops_the_start(tmp_path: Path) -> None:
    ended = start_process(tmp_path, "check", VERIFIER_ROUTES="direct:203.0.113.7;hello=a.example")
    assert ended.returncode == 1
    words = "SettingError: VERIFIER_ROUTES cannot be read: route 1 has an option other than ;helo=NAME"
    assert ended.stderr.splitlines()[-1].endswith(words)
