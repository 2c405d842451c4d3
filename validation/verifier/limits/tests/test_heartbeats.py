"""The machines that the database knows, and the share of each. Beats are told the time that has passed."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.db.models import F

from emailcheck.common.shared_state.machines import machine_id
from emailcheck.common.shared_state.models import Machine
from validation.engine.limits.shared_limits import PairLimits
from validation.verifier.limits.heartbeats import (
    HEARTBEAT_S,
    POLL_S,
    SHARE_FOR_S,
    MachineHeartbeats,
)
from validation.verifier.limits.shares import NO_SHARE, Share

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class Host:
    """One process of a machine, its clock and whether it reaches Redis."""

    def __init__(self, own_id: str) -> None:
        self.now = 1_000.0
        self.reaches = False
        self.machines = MachineHeartbeats(own_id, lambda: self.reaches, lambda: self.now)

    def beat(self) -> Share:
        """What it knows after a beat."""
        self.now += HEARTBEAT_S
        self.machines.beat_if_due()
        return self.machines.share()


@pytest.fixture
def _connection_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of a process closes its connection after each beat; a test has one for all."""
    monkeypatch.setattr(connection, "close", lambda: None)


def pass_time(seconds: float) -> None:
    """The database's clock goes on by so much, for all rows."""
    by = timedelta(seconds=seconds)
    Machine.objects.update(joined_at=F("joined_at") - by, seen_at=F("seen_at") - by)


@pytest.mark.finding("A5")
@pytest.mark.usefixtures("_connection_stays")
def test_a_machine_takes_its_share_when_everybody_must_have_seen_it() -> None:
    one, two = Host("b"), Host("a")
    assert [one.beat(), two.beat()] == [Share(0, 1, may_take=False), Share(1, 2, may_take=False)]
    pass_time(40)
    one.beat(), two.beat()
    pass_time(30)
    assert [one.beat(), two.beat()] == [Share(0, 2, may_take=True), Share(1, 2, may_take=True)]


@pytest.mark.finding("A5")
@pytest.mark.usefixtures("_connection_stays")
def test_whoever_was_not_seen_for_a_minute_does_not_count_and_joins_anew() -> None:
    one, two = Host("a"), Host("b")
    one.beat(), two.beat()
    pass_time(50)
    two.beat()
    pass_time(20)
    assert two.beat() == Share(0, 1, may_take=True)
    assert one.beat() == Share(1, 2, may_take=False)


@pytest.mark.finding("A5")
@pytest.mark.usefixtures("_connection_stays")
def test_nobody_takes_a_share_while_one_machine_reaches_redis() -> None:
    one, two = Host("a"), Host("b")
    one.beat(), two.beat()
    pass_time(55)
    one.beat(), two.beat()
    pass_time(15)
    two.reaches = True
    assert [two.beat(), one.beat()] == [Share(1, 2, may_take=False), Share(0, 2, may_take=False)]
    two.reaches = False
    assert [two.beat(), one.beat()] == [Share(1, 2, may_take=True), Share(0, 2, may_take=True)]


@pytest.mark.usefixtures("_connection_stays")
def test_what_is_news_is_told_at_once_and_everything_else_every_few_seconds() -> None:
    host = Host("a")
    host.reaches = True
    host.beat()
    Machine.objects.update(host="before")
    host.now += HEARTBEAT_S - 0.1
    host.machines.beat_if_due()
    assert list(Machine.objects.values_list("host", "reaches_redis")) == [("before", True)]
    host.reaches = False
    host.machines.beat_if_due()
    assert Machine.objects.get().reaches_redis is False
    Machine.objects.update(host="before")
    host.now += POLL_S
    host.machines.beat_if_due()
    assert Machine.objects.get().host != "before"


@pytest.mark.finding("A5")
@pytest.mark.usefixtures("_connection_stays")
def test_a_share_that_is_not_looked_up_for_nearly_a_minute_ends() -> None:
    host = Host("a")
    host.beat()
    pass_time(55)
    host.beat()
    pass_time(15)
    whole = host.beat()
    host.now += SHARE_FOR_S - 0.1
    assert (whole, host.machines.share()) == (Share(0, 1, may_take=True), whole)
    host.now += 0.2
    assert host.machines.share() == NO_SHARE


@pytest.mark.django_db(transaction=True)
def test_a_database_that_is_away_is_named_once_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    host = Host("a")
    host.beat()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE common_machine RENAME TO common_machine_away")
    try:
        host.beat(), host.beat()
        host.now += SHARE_FOR_S
        assert host.beat() == NO_SHARE
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE common_machine_away RENAME TO common_machine")
    assert [record.message.partition(" (")[0] for record in caplog.records] == ["the machines could not be looked up"]
    assert host.beat() == Share(0, 1, may_take=False)


def test_an_id_is_made_once(tmp_path: Path) -> None:
    made = machine_id(tmp_path / "machine")
    assert (len(made), machine_id(tmp_path / "machine")) == (32, made)


def test_shares_are_whole_sessions_and_as_much_of_the_rate() -> None:
    whole = PairLimits(7, reserved=1, per_s=70.0, burst=5)
    shares = [Share(place, 3, may_take=True).limits_of(whole) for place in range(3)]
    assert [(share.sessions, share.per_s) for share in shares] == [(3, 30.0), (2, 20.0), (2, 20.0)]
    assert Share(1, 3, may_take=True).limits_of(PairLimits(1, per_s=4.0)) == PairLimits(0, per_s=0.0)
    assert NO_SHARE.sessions_of(7) == 0


def test_shares_never_add_up_to_more_where_some_know_of_machines_that_are_gone() -> None:
    for sessions in range(1, 12):
        for takers in range(1, 6):
            for gone in range(4):
                found = [
                    Share(at, takers + gone * (at % 2), may_take=True).sessions_of(sessions) for at in range(takers)
                ]
                assert sum(found) <= sessions
