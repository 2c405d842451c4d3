"""Every method of both clients, against the whole product."""

import dataclasses
from collections.abc import AsyncGenerator
from contextlib import aclosing, closing, suppress
from pathlib import Path
from typing import Any

import pytest

from clients.python.tests.conftest import Connect, Product, gather, settle
from clients.python.tests.cutting_proxy import CuttingProxy, Fault, answer
from emailcheck_client import Category, JobCancelled, JobFailed, JobPaused, Progress, Status, errors
from emailcheck_client.client import AsyncEmailCheck, AsyncJob, EmailCheck, Job

pytestmark = [pytest.mark.xdist_group("client"), pytest.mark.usefixtures("short_waits")]
NAMES = ("valid", "invalid", "catch_all", "disposable")
LIVING, GONE = "ida.holm@harborquill.com", "gone.hannah.park@twolines.net"


def addresses_of(*names: str) -> list[str]:
    return [f"{name}@test.emailcheck.app" for name in names]


async def note_rows(results: Any, rows: list[int], stop: int = 10**9) -> None:
    """Note the row of each result when it comes, until there are so many; then end the stream."""
    if isinstance(results, AsyncGenerator):
        async with aclosing(results):
            async for one in results:
                rows.append(one.row)
                if len(rows) == stop:
                    return
    else:
        with closing(results):
            for one in results:
                rows.append(one.row)
                if len(rows) == stop:
                    return


@pytest.mark.spec("SDK-002")
async def test_one_address_is_checked_and_costs_a_credit(connect: Connect, product: Product) -> None:
    before = product.balance()
    async with connect(product.key, product.address) as client:
        verdict = await settle(client.check(f" {LIVING} "))
        repaired = await settle(client.check(f"Ida <{LIVING}>", repair=True))
        credits = await settle(client.credits())
    assert (verdict.category, verdict.reason, verdict.safe_to_send) == (Category.VALID, "mailbox_exists", True)
    assert (verdict.email, verdict.valid, verdict.credits_used, verdict.row) == (LIVING, True, 1, 0)
    assert (repaired.repaired_from, repaired.email_checked) == (f"Ida <{LIVING}>", LIVING)
    assert (before - product.balance(), credits.credits + credits.held) == (2, before - 2)


@pytest.mark.spec("SDK-002", "SDK-007")
async def test_a_list_is_waited_for_and_read_in_its_order(connect: Connect, product: Product) -> None:
    addresses = [f"{NAMES[n % 4]}+{n}@test.emailcheck.app" for n in range(2_300)]
    said: list[Progress] = []
    async with connect(product.trial, product.address) as client:
        job = await settle(client.check_many(iter(addresses)))
        rows = await gather(job.results(on_progress=said.append))
        done = await settle(job.wait())
        behind = await gather(job.results(after_row=2_297))
        safe = await gather(job.results(decision="safe"))
        first = await settle(job.page(limit=100))
    assert [(row.row, row.email) for row in rows] == list(enumerate(addresses, start=1))
    assert [row.category.value for row in rows] == [NAMES[n % 4] for n in range(2_300)]
    assert (done.status, done.total_emails, done.valid_count) == (Status.COMPLETED, 2_300, 575)
    assert (said[-1].status, type(done) in (Job, AsyncJob)) == (Status.COMPLETED, True)
    assert [row.row for row in behind] == [2_298, 2_299, 2_300]
    assert {row.safe_to_send for row in safe} == {True}
    assert list(first.results) == rows[:100]


@pytest.mark.spec("SDK-002")
async def test_a_file_is_uploaded_inspected_started_and_exported(
    connect: Connect, product: Product, tmp_path: Path
) -> None:
    path = tmp_path / "list.csv"
    path.write_text("b,a\nx@y.zz," + "\nx@y.zz,".join(addresses_of(*NAMES)) + "\n")
    async with connect(product.trial, product.address) as client:
        job = await settle(client.upload(path, column="a"))
        saved = await settle(job.export(tmp_path / "out.csv"))
        await settle(job.export(tmp_path / "safe.csv", filter="safe"))
        with path.open() as file:
            draft = await settle(client.inspect(file, column="2"))
        again = await settle((await settle(client.start(draft))).wait())
        by_id = await settle(client.job(again.id))
    lines = saved.read_text().splitlines()
    assert [line.split('","')[1] for line in lines] == ["Email", *addresses_of(*NAMES)]
    assert len((tmp_path / "safe.csv").read_text().splitlines()) == 2
    assert (draft.rows, draft.unique, draft.cost) == (4, 4, 4)
    assert (again.total_emails, again.filename, by_id.id, by_id.status) == (4, "list.csv", again.id, again.status)


@pytest.mark.spec("SDK-002")
async def test_lists_are_listed_page_by_page(connect: Connect, product: Product, proxy: CuttingProxy) -> None:
    pages = [
        answer(200, '{"batches": [{"batch_id": "bat_3"}, {"batch_id": "bat_2"}], "next_cursor": "c"}'),
        answer(200, '{"batches": [{"batch_id": "bat_1", "status": "brand_new"}], "next_cursor": null}'),
    ]
    proxy.faults.extend(Fault(acts=False, answer=page) for page in pages)
    async with connect(product.trial, proxy.address) as client:
        found = await gather(client.jobs(limit=2))
        mine = await settle(client.check_many(addresses_of("valid", "invalid")))
        newest = (await gather(client.jobs()))[0]
    assert [job.id for job in found] == ["bat_3", "bat_2", "bat_1"]
    assert (found[2].status, found[2].status.value) == (Status.OTHER, "brand_new")
    assert [call.line.split()[1] for call in proxy.seen[:2]] == [
        "/api/v1/validate/batches?limit=2", "/api/v1/validate/batches?limit=2&cursor=c"
    ]  # fmt: skip
    assert newest.id == mine.id


async def cancel_running_list(client: Any) -> tuple[Any, Any]:
    """A list, and what cancelling it answers. It runs for three seconds; a busy machine may come too late for one."""
    for _ in range(10):
        job = await settle(client.check_many(addresses_of("slow", "valid")))
        with suppress(errors.BatchEnded):
            return job, await settle(job.cancel())
    raise AssertionError("no list was cancelled in time")


@pytest.mark.spec("SDK-002", "SDK-007")
async def test_a_list_that_was_cancelled_raises_behind_its_rows(connect: Connect, product: Product) -> None:
    async with connect(product.trial, product.address) as client:
        job, stopped = await cancel_running_list(client)
        with pytest.raises(JobCancelled, match=job.id) as raised:
            await settle(job.wait())
        rows: list[Any] = []
        with pytest.raises(JobCancelled):
            rows.extend(await gather(job.results()))
        with pytest.raises(errors.NotCompleted):
            await settle(job.recheck())
    assert (stopped.status, raised.value.job and raised.value.job.id) == (Status.CANCELLED, job.id)


@pytest.mark.spec("SDK-007")
async def test_a_list_that_failed_raises_behind_the_rows_that_exist(
    connect: Connect, product: Product, proxy: CuttingProxy
) -> None:
    """The rows are those of a list that was completed; that it failed is said by the proxy."""
    async with connect(product.trial, proxy.address) as client:
        job = await settle(client.check_many(addresses_of("valid", "invalid")))
        failed = f'{{"batch_id": "{job.id}", "status": "failed", "error": "A disk is full."}}'
        proxy.always["/status"] = Fault(acts=False, answer=answer(200, failed))
        rows: list[int] = []
        results = job.results()
        with pytest.raises(JobFailed, match=r"A disk is full\."):
            await note_rows(results, rows)
        with pytest.raises(JobFailed):
            await settle(job.wait())
    assert rows == [1, 2]


@pytest.mark.spec("SDK-007")
async def test_a_list_that_is_paused_raises_before_its_rows(
    connect: Connect, product: Product, proxy: CuttingProxy
) -> None:
    """More rows may come before those that exist."""
    paused = answer(200, '{"batch_id": "bat_1", "status": "paused", "error": "A server rests."}')
    proxy.always["/status"] = Fault(acts=False, answer=paused)
    async with connect(product.trial, proxy.address) as client:
        job = await settle(client.job("bat_1"))
        for action in (job.wait, lambda: gather(job.results()), lambda: job.export("out.csv")):
            with pytest.raises(JobPaused, match=r"The list bat_1 is paused\. A server rests\."):
                await settle(action())
    assert not [call.line for call in proxy.seen if "/status" not in call.line]


@pytest.mark.spec("SDK-007")
async def test_results_are_stopped_anywhere_and_resumed_by_row(connect: Connect, product: Product) -> None:
    addresses = [f"valid+{n}@test.emailcheck.app" for n in range(1_500)]
    async with connect(product.trial, product.address) as client:
        job = await settle(client.check_many(addresses))
        rows: list[int] = []
        for stop in (1, 2, 700, 1_499, 1_500):
            await note_rows(job.results(after_row=len(rows)), rows, stop)
        assert await gather(job.results(after_row=1_500)) == []
    assert rows == list(range(1, 1_501))


@pytest.mark.spec("SDK-002", "SDK-007")
async def test_unknown_addresses_are_checked_again(connect: Connect, product: Product) -> None:
    async with connect(product.trial, product.address) as client:
        job = await settle((await settle(client.check_many(addresses_of("unknown", "valid")))).wait())
        again = await settle((await settle(job.recheck())).wait())
        with pytest.raises(errors.AlreadyRechecked):
            await settle(again.recheck())
    assert (again.id, again.status) == (job.id, Status.COMPLETED)


@pytest.mark.spec("SDK-003", "SDK-010")
async def test_answers_cannot_be_changed_and_nothing_shows_the_key(connect: Connect, product: Product) -> None:
    async with connect(product.trial, product.address) as client:
        verdict = await settle(client.check(addresses_of("valid")[0]))
        job = await settle(client.check_many(addresses_of("valid", "invalid")))
        account = await settle(client.account())
        with pytest.raises(dataclasses.FrozenInstanceError):
            verdict.category = Category.INVALID
        with pytest.raises(errors.InvalidEmail) as raised:
            await settle(client.check("nothing"))
        shown = [repr(one) + str(one) for one in (client, verdict, job, account, raised.value)]
    assert not [text for text in shown if product.trial[16:] in text]
    assert (raised.value.code, raised.value.status, raised.value.request_id[:4]) == ("INVALID_EMAIL", 400, "req_")
    assert verdict.raw["test"] is True
    assert (account.key.test, account.key.scopes, account.key.requests_per_minute) == (True, ("read", "write"), None)


@pytest.mark.spec("SDK-006")
async def test_a_refusal_says_what_is_missing(connect: Connect, product: Product) -> None:
    balance = product.balance()
    async with connect(product.key, product.address) as client:
        with pytest.raises(errors.QuotaExceeded) as raised:
            await settle(client.check_many([f"a{n}@harborquill.com" for n in range(balance + 7)]))
    found = raised.value
    assert (found.needed, found.available, found.status) == (balance + 7, balance, 403)
    assert found.message == f"Insufficient credits. You need {balance + 7} but have {balance}."
    assert product.balance() == balance


@pytest.mark.spec("SDK-002")
def test_both_clients_have_the_same_methods() -> None:
    only = {"close", "aclose", "__enter__", "__exit__", "__aenter__", "__aexit__"}
    for one, other in ((EmailCheck, AsyncEmailCheck), (Job, AsyncJob)):
        assert set(dir(one)) - only == set(dir(other)) - only
    wanted = {"check", "check_many", "upload", "jobs", "credits", "webhooks"}
    assert wanted <= set(dir(EmailCheck))
    assert {"wait", "results", "page", "export", "cancel", "recheck"} <= set(dir(Job))
