"""Connections that break, before and after the server has acted: results are complete, in order, and charged once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from clients.python.tests.conftest import Connect, Product, gather, settle
from clients.python.tests.cutting_proxy import CuttingProxy, Fault, answer
from emailcheck_client import NetworkFailed

pytestmark = [pytest.mark.xdist_group("client"), pytest.mark.usefixtures("short_waits")]
LIVING, GONE = "ida.holm@harborquill.com", "gone.hannah.park@twolines.net"
ROWS = 600
_WAIT = {"Retry_After": 0}
BEFORE = [
    Fault(acts=False, keeps=0, answer=b"", resets=True),
    Fault(acts=False, keeps=0, answer=b""),
    Fault(acts=False, answer=answer(429, '{"code": "RATE_LIMIT_EXCEEDED", "message": "Later"}', **_WAIT)),
    Fault(acts=False, answer=answer(503, '{"code": "OVERLOADED", "message": "Later"}', **_WAIT)),
    Fault(acts=False, answer=answer(502, "<html>Bad gateway</html>")),
]
AFTER = [
    Fault(keeps=0, resets=True),
    Fault(keeps=0),
    Fault(keeps=100, resets=True),
    Fault(keeps=400),
    Fault(answer=answer(429, "{}", **_WAIT)),
    Fault(answer=answer(503, "", **_WAIT)),
    Fault(answer=answer(504, "<html>Gateway timeout</html>")),
    Fault(answer=answer(500, '{"code": "INTERNAL_ERROR", "message": "A fault of ours"}')),
]
ACTIONS: dict[str, Callable[[Any, Path], Any]] = {
    "check": lambda client, _: client.check(LIVING),
    "check_many": lambda client, _: client.check_many([LIVING, GONE]),
    "upload": lambda client, path: client.upload(path),
}
COSTS = {"check": 1, "check_many": 2, "upload": 2}


def list_files(folder: Path) -> list[str]:
    return sorted(one.name for one in folder.iterdir() if one.is_file())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "list.csv"
    file.write_text(f"email\n{LIVING}\n{GONE}\n")
    return file


@pytest.mark.spec("SDK-004", "SDK-005")
@pytest.mark.parametrize("action", ACTIONS)
async def test_what_breaks_off_is_charged_once(
    connect: Connect, product: Product, proxy: CuttingProxy, path: Path, action: str
) -> None:
    """Each fault alone, then four in a row, of which the server acts upon two."""
    rounds = [[fault] for fault in (*BEFORE, *AFTER)] + [[BEFORE[0], AFTER[0], BEFORE[2], AFTER[5]]]
    balance, lists = product.balance(), product.count_lists()
    async with connect(product.key, proxy.address) as client:
        for faults in rounds:
            proxy.seen.clear()
            proxy.faults.extend(faults)
            found = await settle(ACTIONS[action](client, path))
            assert len(proxy.seen) == len(faults) + 1
            keys = {call.headers["idempotency-key"] for call in proxy.seen}
            assert len(keys) == 1, faults
            rows = [found] if action == "check" else await gather(found.results())
            assert [row.email for row in rows] == [LIVING, GONE][: COSTS[action]]
    assert balance - product.balance() == COSTS[action] * len(rounds)
    assert product.count_lists() - lists == (0 if action == "check" else len(rounds))


@pytest.mark.spec("SDK-004")
async def test_a_check_is_cut_at_any_byte(connect: Connect, product: Product, proxy: CuttingProxy) -> None:
    """A paid call: each 60th byte of its answer, its head included."""
    balance, number = product.balance(), 0
    async with connect(product.key, proxy.address) as client:
        await settle(client.check(LIVING))
        size = proxy.sent
        for keeps in range(0, size, 60):
            proxy.faults.append(Fault(keeps=keeps, resets=keeps % 120 == 0))
            verdict = await settle(client.check(LIVING))
            assert (verdict.email, verdict.credits_used) == (LIVING, 1)
            number += 1
    assert (number > 25, balance - product.balance()) == (True, number + 1)


@pytest.mark.spec("SDK-004")
async def test_a_small_answer_is_cut_at_every_byte(
    kind: str, connect: Connect, product: Product, proxy: CuttingProxy
) -> None:
    """At every byte with the client that blocks, at every 5th with the other."""
    async with connect(product.trial, proxy.address) as client:
        whole = await settle(client.credits())
        size, step = proxy.sent, {"blocks": 1, "awaits": 5}[kind]
        for keeps in range(0, size, step):
            proxy.faults.append(Fault(keeps=keeps))
            assert await settle(client.credits()) == whole
    assert len(proxy.seen) == 1 + 2 * len(range(0, size, step))


@pytest.mark.spec("SDK-007")
@pytest.mark.parametrize("resets", [False, True])
async def test_results_go_on_where_they_were_cut(
    connect: Connect, product: Product, proxy: CuttingProxy, resets: bool
) -> None:
    """At every 1,999th byte of the first stream, and in the middle of a line, of a head and behind the last byte."""
    addresses = [f"valid+{n}@test.emailcheck.app" for n in range(60)]
    async with connect(product.trial, proxy.address) as client:
        job = await settle((await settle(client.check_many(addresses))).wait())
        whole = await gather(job.results())
        size = proxy.sent
        for keeps in [1, 100, *range(1_999, size, 1_999), size - 2, size - 1]:
            proxy.faults.extend([Fault(), Fault(keeps=keeps, resets=resets)])
            assert await gather(job.results()) == whole, keeps
    assert [row.email for row in whole] == addresses


@pytest.mark.spec("SDK-007")
async def test_every_connection_breaks_and_each_row_comes_once(
    connect: Connect, product: Product, proxy: CuttingProxy
) -> None:
    """No stream lives longer than some rows; that is no reason to give up."""
    addresses = [f"invalid+{n}@test.emailcheck.app" for n in range(ROWS)]
    async with connect(product.trial, proxy.address, max_retries=1) as client:
        job = await settle((await settle(client.check_many(addresses))).wait())
        proxy.always["/results"] = Fault(keeps=20_000)
        proxy.seen.clear()
        rows = await gather(job.results())
        streams = [call.line for call in proxy.seen if "/results" in call.line]
    assert [(row.row, row.email) for row in rows] == list(enumerate(addresses, start=1))
    assert len(streams) > 15
    assert "after_row=" in streams[-1]


@pytest.mark.spec("SDK-007")
async def test_a_row_with_several_addresses_is_cut_within(
    connect: Connect, product: Product, proxy: CuttingProxy, tmp_path: Path
) -> None:
    """Three results of each row: its number alone does not say which came."""
    path = tmp_path / "list.csv"
    cells = [",".join(f"valid+{n}{c}@test.emailcheck.app" for c in "abc") for n in range(20)]
    path.write_text("a,b,c\n" + "\n".join(cells) + "\n")
    async with connect(product.trial, proxy.address) as client:
        job = await settle((await settle(client.upload(path, email_columns=["1", "2", "3"]))).wait())
        whole = await gather(job.results())
        for keeps in range(400, proxy.sent, 800):
            proxy.faults.extend([Fault(), Fault(keeps=keeps)])
            assert await gather(job.results()) == whole, keeps
    assert [row.row for row in whole] == [n for n in range(1, 21) for _ in "abc"]


@pytest.mark.spec("SDK-007")
async def test_a_stream_that_brings_nothing_new_is_given_up(
    connect: Connect, product: Product, proxy: CuttingProxy
) -> None:
    async with connect(product.trial, proxy.address, max_retries=3) as client:
        job = await settle((await settle(client.check_many(["valid@test.emailcheck.app", "a@b.cc"]))).wait())
        proxy.always["/results"] = Fault(keeps=500)
        proxy.seen.clear()
        with pytest.raises(NetworkFailed):
            await gather(job.results())
    assert len([call for call in proxy.seen if "/results" in call.line]) == 4


@pytest.mark.spec("SDK-004")
async def test_an_export_is_whole_or_not_there(
    connect: Connect, product: Product, proxy: CuttingProxy, tmp_path: Path
) -> None:
    addresses = [f"valid+{n}@test.emailcheck.app" for n in range(50)]
    target = tmp_path / "out.csv"
    async with connect(product.trial, proxy.address, max_retries=1) as client:
        job = await settle((await settle(client.check_many(addresses))).wait())
        whole = (await settle(job.export(target))).read_bytes()
        for keeps in range(50, proxy.sent, 2_500):
            target.unlink()
            proxy.faults.extend([Fault(), Fault(keeps=keeps)])
            await settle(job.export(target))
            assert target.read_bytes() == whole
        target.unlink()
        proxy.always["/export"] = Fault(keeps=2_000)
        with pytest.raises(NetworkFailed):
            await settle(job.export(target))
    assert (list_files(tmp_path), whole.count(b"\n")) == ([], 51)


@pytest.mark.spec("SDK-005")
async def test_a_call_that_is_still_answered_is_asked_for_until_it_is(
    connect: Connect, product: Product, proxy: CuttingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first try is given up after half a second, while the server works for three."""
    monkeypatch.setattr("emailcheck_client.exchange.FIRST_WAIT_S", 0.5)
    async with connect(product.trial, proxy.address, timeout=0.5, max_retries=8) as client:
        verdict = await settle(client.check("slow@test.emailcheck.app"))
    assert (verdict.email, len(proxy.seen) > 2) == ("slow@test.emailcheck.app", True)
    assert len({call.headers["idempotency-key"] for call in proxy.seen}) == 1
