"""What must hold after every trouble: each row once, each charge once, no difference, no file and no process left."""

import json
from collections import Counter

from tests.cluster.calls import Outcome
from tests.cluster.cluster import Cluster
from tests.cluster.customer import Customer
from tests.stack import name_of, wait_until

_WATCH = """
CREATE TABLE IF NOT EXISTS cluster_due (schedule text, due timestamptz);
CREATE OR REPLACE FUNCTION cluster_note_due() RETURNS trigger AS $$
BEGIN INSERT INTO cluster_due VALUES (OLD.name, OLD.next_run); RETURN NEW; END $$ LANGUAGE plpgsql;
CREATE OR REPLACE TRIGGER cluster_due AFTER UPDATE OF next_run ON django_q_schedule FOR EACH ROW
WHEN (OLD.next_run IS DISTINCT FROM NEW.next_run) EXECUTE FUNCTION cluster_note_due();
"""
_TWICE = "SELECT schedule, due, count(*) FROM cluster_due GROUP BY schedule, due HAVING count(*) > 1"
_SINGLES = """
SELECT count(*) FILTER (WHERE charged), count(*) FROM validation_result WHERE batch_id IS NULL
"""
_CAPTURED = "SELECT coalesce(sum(captured), 0) FROM billing_credithold WHERE key LIKE 'single:%'"
_HELD_BY_LISTS = "SELECT count(*) FROM billing_credithold WHERE state = 'open' AND key NOT LIKE 'single:%'"


def watch_schedules(cluster: Cluster) -> None:
    """Have the database note each time at which a schedule was due and made a task."""
    cluster.postgres.query(_WATCH)


def check_list(customer: Customer, batch_id: str, addresses: list[str], within_s: float) -> Counter[str]:
    """Wait for its end; raises `AssertionError` where a row is missing or doubled, or a charge wrong.

    Answers how many rows there are of each category.
    """
    status = customer.wait_for_end(batch_id, within_s)
    rows = customer.export(batch_id)
    found = Counter(row["Email"].removeprefix("'").lower() for row in rows)
    wanted = {one.lower() for one in addresses}
    missing, doubled = wanted - set(found), [email for email, times in found.items() if times > 1]
    assert status["status"] == "completed", status
    assert (len(missing), doubled, len(found) - len(wanted)) == (0, [], 0), (len(missing), doubled[:5], len(found))
    kinds = Counter(row["Category"] for row in rows)
    free = kinds["unknown"] + sum(row["Reason"] == "syntax" for row in rows)
    batch = customer.ask("GET", f"/api/v1/validate/batch/{batch_id}?page_size=1")
    assert batch["credits_used"] == len(rows) - free, (batch["credits_used"], len(rows), free)
    return kinds


def check_calls(cluster: Cluster, outcomes: list[Outcome]) -> None:
    """Each answered call is one result and one charge; only calls without an answer may be more."""
    ids = [one for outcome in outcomes for one in outcome.ids]
    unknown = sum(outcome.unknown for outcome in outcomes)
    assert len(ids) == len(set(ids)), f"{len(ids) - len(set(ids))} answers name the same result"
    ((charged, stored),) = cluster.postgres.query(_SINGLES)
    ((captured,),) = cluster.postgres.query(_CAPTURED)
    assert isinstance(stored, int)
    assert len(ids) <= stored <= len(ids) + unknown, (len(ids), stored, unknown)
    assert charged == captured, f"{charged} single results are charged, {captured} credits were captured"


def check_books(cluster: Cluster) -> None:
    """`reconcile` finds 0 differences, no list holds credits, and nothing scheduled was made twice."""
    said = cluster.manage("reconcile")
    assert said.startswith("0 differences"), said
    assert cluster.postgres.query(_HELD_BY_LISTS) == [(0,)]
    assert cluster.postgres.query(_TWICE) == []


def check_messages(customer: Customer, batch_ids: list[str], within_s: float) -> None:
    """Each end of a list is told, under one id, however often it was sent."""

    def is_told() -> bool:
        return set(batch_ids) <= set(_list_events(customer))

    wait_until(is_told, within_s)
    several = {batch: ids for batch, ids in _list_events(customer).items() if len(ids) > 1}
    assert several == {}, several


def check_files(cluster: Cluster, deleted: list[str], within_s: float) -> None:
    """Nothing of the files of deleted lists is left; a deletion that failed is done again by the schedule."""
    wait_until(lambda: not [one for one in cluster.list_files() if one.startswith(tuple(deleted))], within_s)


def check_processes(cluster: Cluster) -> None:
    """Of each machine there is one set of processes, and of machines that were lost none."""
    own = {pid for machine in cluster.machines for pid in machine.list_processes()}
    left = set(cluster.place.list_processes("MACHINE_NAME=w")) - own  # not the desk's
    assert not left, f"left over: {sorted(left)}"
    for machine in cluster.machines:
        names = Counter(name_of(pid) for pid in machine.list_processes())
        assert all(names[name] == 1 for name in machine.members), (machine.name, names)


def _list_events(customer: Customer) -> dict[str, set[str]]:
    """The ids of messages about each list."""
    events: dict[str, set[str]] = {}
    for message in customer.list_messages():
        data = json.loads(message["body"])
        events.setdefault(data["data"]["batch_id"], set()).add(message["headers"]["webhook-id"])
    return events
