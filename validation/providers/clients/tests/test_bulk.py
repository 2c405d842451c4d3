"""Bulk jobs at the played services."""

import json

import pytest

from tests.world import Sandbox
from validation.engine import Category
from validation.providers.clients import base
from validation.providers.clients.base import Opinion, Phase, ProviderError
from validation.providers.clients.tests.conftest import KEY, NAMES, Played, Scripted

LIST = {
    "anna.keller@lanternoak.org": Category.VALID,
    "gone.keller@lanternoak.org": Category.INVALID,
    '"anna, b"@lanternoak.org': None,
    '"an\\"na"@lanternoak.org': None,
    "anything@mailinator.com": Category.DISPOSABLE,
    "anna@velvetcircuit.com": Category.CATCH_ALL,
}


@pytest.mark.parametrize("name", NAMES)
def test_a_job_from_beginning_to_end(name: str, played: Played) -> None:
    adapter = played[name]
    job = adapter.submit(list(LIST), label='Kunden "Süd"; a,b\r\nX-Evil: 1')
    phases: list[Phase] = []
    with pytest.raises(base.StillRunning) as raised:
        adapter.fetch(job)
    assert raised.value.again_after > 0
    while not phases or phases[-1] is not Phase.DONE:
        phases.append(adapter.poll(job).phase)
        assert len(phases) < 5
    first, again = adapter.fetch(job), adapter.fetch(job)
    said = {opinion.address: opinion.category for opinion in first}
    assert set(said) == set(LIST)
    assert {address: category for address, category in said.items() if LIST[address]} == {
        address: category for address, category in LIST.items() if category
    }
    assert [opinion.category for opinion in again] == [opinion.category for opinion in first]
    assert adapter.balance() == 10_000 - len(LIST) + _free(name)


def _free(name: str) -> int:
    """How many of the list cost nothing: NeverBounce does not bill what is no address to it."""
    return {"zerobounce": 0, "neverbounce": 1, "kickbox": 0}[name]


@pytest.mark.parametrize("name", NAMES)
def test_a_large_job_is_read_to_its_last_page(name: str, played: Played) -> None:
    adapter, count = played[name], 2_345
    job = adapter.submit([f"anna{number % 900}.b{number}@lanternoak.org" for number in range(count)], label="large")
    _finish(played, name, job)
    assert len({opinion.address for opinion in adapter.fetch(job)}) == count


@pytest.mark.parametrize("name", NAMES)
def test_a_job_that_failed_is_refused(name: str, played: Played) -> None:
    job = played[name].submit(["anna@lanternoak.org"], label="list")
    played.trouble(name, "job_failed")
    assert played[name].poll(job).phase is Phase.FAILED
    with pytest.raises(base.Refused):
        played[name].fetch(job)


def test_a_job_under_review_is_waited_for(played: Played) -> None:
    adapter = played["neverbounce"]
    job = adapter.submit(["anna@lanternoak.org"], label="list")
    played.trouble("neverbounce", "review")
    assert adapter.poll(job).phase is Phase.REVIEW
    with pytest.raises(base.StillRunning) as raised:
        adapter.fetch(job)
    assert raised.value.again_after == 3_600


@pytest.mark.parametrize("name", NAMES)
def test_a_job_without_credits_is_named(name: str, played: Played) -> None:
    adapter = played[name]
    played.accounts[name].credits = 1

    def run() -> list[Opinion]:
        job = adapter.submit(["anna@lanternoak.org", "ben@lanternoak.org"], label="list")
        _finish(played, name, job)
        return adapter.fetch(job)

    with pytest.raises(base.OutOfCredit):
        run()
    assert played.accounts[name].credits == 1


def test_a_link_that_has_ended_is_asked_for_anew(played: Played) -> None:
    job = played["kickbox"].submit(["anna@lanternoak.org"], label="list")
    _finish(played, "kickbox", job)
    played.trouble("kickbox", "expired_link", times=2)  # the look at the job, and the first link
    assert [opinion.category for opinion in played["kickbox"].fetch(job)] == [Category.VALID]
    played.trouble("kickbox", "expired_link")
    with pytest.raises(base.Refused):
        played["kickbox"].fetch(job)


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("http://169.254.169.254/latest/meta-data", base.BadAnswer),
        ("http://inbox.hookbarn.com/1.csv", base.BadAnswer),
        ("https://key@inbox.hookbarn.com/1.csv", base.BadAnswer),
        ("https://inbox.hookbarn.com:22/1.csv", base.BadAnswer),
        ("https://[::1", base.BadAnswer),
        ("file:///etc/passwd", base.BadAnswer),
        ("https://127.0.0.1/1.csv", base.Unavailable),
        ("https://private.hookbarn.com/1.csv", base.Unavailable),
    ],
)
@pytest.mark.usefixtures("world")
def test_a_link_that_leads_inside_is_not_followed(link: str, kind: type[ProviderError], scripted: Scripted) -> None:
    scripted.body = json.dumps({"success": True, "status": "completed", "download_url": link}).encode()
    with pytest.raises(ProviderError) as raised:
        scripted.adapter("kickbox").fetch("1")
    assert (type(raised.value), len(scripted.looked_up_addresses)) == (kind, 1)


@pytest.mark.usefixtures("world")
def test_a_link_to_a_public_host_is_followed_without_our_key(running_sandbox: Sandbox, scripted: Scripted) -> None:
    link = "https://inbox.hookbarn.com/results/1.csv?signature=a%2Bb"
    scripted.body = json.dumps({"success": True, "status": "completed", "download_url": link}).encode()
    with pytest.raises(base.BadAnswer, match="no column result"):  # the host thanks, which is no file of results
        scripted.adapter("kickbox").fetch("1")
    (arrived,) = running_sandbox.simulation.inbox.deliveries("results")
    assert (arrived.method, arrived.path) == ("GET", "/results/1.csv?signature=a%2Bb")
    assert KEY not in str(arrived)


@pytest.mark.parametrize("name", NAMES)
def test_a_job_of_none_or_too_many_is_our_own_mistake(name: str, scripted: Scripted) -> None:
    adapter = scripted.adapter(name)
    for count in (0, base.MOST_IN_JOB + 1):
        with pytest.raises(ValueError, match="a job takes"):
            adapter.submit(["a@b.com"] * count, label="list")
    assert scripted.looked_up_addresses == []


def test_files_of_zerobounce_may_be_errors(scripted: Scripted) -> None:
    scripted.bodies = [b'{"success": "False", "message": ["File is being processed."]}']
    scripted.body = (
        b'{"success": true, "file_status": "Processing", "complete_percentage": "41%", "error_reason": null}'
    )
    with pytest.raises(base.StillRunning, match="running, 41 %"):
        scripted.adapter("zerobounce").fetch("1")


def test_rows_that_cannot_be_read_are_left_out(scripted: Scripted) -> None:
    head = b'"Email Address","ZB Status","ZB Sub Status"\r\n'
    scripted.body = head + b'"a@b.com","valid",""\r\n"c@d.com"\r\n'
    assert [opinion.address for opinion in scripted.adapter("zerobounce").fetch("1")] == ["a@b.com"]
    scripted.body = head + b'"c@d.com"\r\n'
    with pytest.raises(base.BadAnswer):
        scripted.adapter("zerobounce").fetch("1")


def _finish(played: Played, name: str, job: str) -> None:
    for _ in range(3):
        played[name].poll(job)
