"""Which answers are repeated, how often, after how long, and what becomes of those that are not."""

import time
from collections.abc import Iterator

import pytest
from emailcheck.public.documentation.error_catalogue import CATALOGUE, Entry
from tests.stack import free_port

from clients.python.tests.conftest import Connect, settle
from clients.python.tests.cutting_proxy import CuttingProxy, Fault, answer, running_proxy
from emailcheck_client import BadAnswer, BadUsage, Category, EmailCheck, EmailCheckError, NetworkFailed, errors
from emailcheck_client import exchange as exchanges

pytestmark = pytest.mark.xdist_group("client")
KEY = "ec_test_any"
ADDRESS = "valid@test.emailcheck.app"
VERDICT = answer(200, '{"id": "res_1", "email": "valid@test.emailcheck.app", "category": "valid", "valid": true}')
REPEATED = [429, 500, 502, 503, 504]
REFUSED = [400, 401, 403, 404, 405, 408, 409, 410, 413, 415, 422, 431, 501, 505, 507]


@pytest.fixture
def service() -> Iterator[CuttingProxy]:
    """A service that answers what a test says, and nothing else."""
    with running_proxy(f"http://127.0.0.1:{free_port()}") as running:
        yield running


def say(service: CuttingProxy, *answers: bytes) -> None:
    service.faults.extend(Fault(acts=False, answer=one) for one in answers)


def refusal(status: int, code: str = "NEW_CODE", **headers: object) -> bytes:
    return answer(status, f'{{"code": "{code}", "message": "No", "request_id": "req_1"}}', **headers)


@pytest.mark.spec("SDK-005")
@pytest.mark.usefixtures("short_waits")
@pytest.mark.parametrize("status", REPEATED)
async def test_what_passes_is_repeated(connect: Connect, service: CuttingProxy, status: int) -> None:
    say(service, *[refusal(status, "")] * 4, VERDICT)
    async with connect(KEY, service.address) as client:
        assert (await settle(client.check(ADDRESS))).category == Category.VALID
        assert len({call.headers["idempotency-key"] for call in service.seen}) == 1
        say(service, *[refusal(status)] * 5, VERDICT)
        with pytest.raises(EmailCheckError) as raised:
            await settle(client.check(ADDRESS))
    assert (raised.value.status, len(service.seen), len(service.faults)) == (status, 10, 1)


@pytest.mark.spec("SDK-005", "SDK-006")
@pytest.mark.usefixtures("short_waits")
@pytest.mark.parametrize("status", REFUSED)
async def test_refusals_are_never_repeated(connect: Connect, service: CuttingProxy, status: int) -> None:
    say(service, refusal(status), VERDICT)
    async with connect(KEY, service.address) as client:
        with pytest.raises(EmailCheckError) as raised:
            await settle(client.check(ADDRESS))
    error = raised.value
    assert (type(error), error.code, error.message, error.status) == (EmailCheckError, "NEW_CODE", "No", status)
    assert (error.request_id, len(service.seen)) == ("req_1", 1)


@pytest.mark.spec("SDK-005")
@pytest.mark.usefixtures("short_waits")
async def test_a_fault_without_a_key_and_a_conflict_that_passes(connect: Connect, service: CuttingProxy) -> None:
    in_flight = refusal(409, "IDEMPOTENCY_IN_FLIGHT")
    async with connect(KEY, service.address) as client:
        say(service, refusal(500, "INTERNAL_ERROR"))
        with pytest.raises(errors.InternalError):
            await settle(client.credits())
        assert len(service.seen) == 1
        say(service, in_flight, in_flight, VERDICT)
        assert (await settle(client.check(ADDRESS))).id == "res_1"
        say(service, refusal(409, "CONFLICT"))
        with pytest.raises(errors.Conflict):
            await settle(client.check(ADDRESS))
    assert len(service.seen) == 5


@pytest.mark.spec("SDK-005")
@pytest.mark.parametrize("status", [*REPEATED, 0])
async def test_without_retries_there_is_one_try(connect: Connect, service: CuttingProxy, status: int) -> None:
    say(service, refusal(status) if status else b"", VERDICT)
    async with connect(KEY, service.address, max_retries=0) as client:
        with pytest.raises(EmailCheckError if status else NetworkFailed):
            await settle(client.check(ADDRESS))
    assert len(service.seen) == 1


@pytest.mark.spec("SDK-005")
@pytest.mark.usefixtures("short_waits")
async def test_it_waits_as_long_as_it_is_told(connect: Connect, service: CuttingProxy) -> None:
    say(service, refusal(429, "RATE_LIMIT_EXCEEDED", Retry_After=1), refusal(503, "OVERLOADED", Retry_After=1), VERDICT)
    async with connect(KEY, service.address) as client:
        begun = time.monotonic()
        await settle(client.check(ADDRESS))
        took = time.monotonic() - begun
        say(service, *[refusal(429, "RATE_LIMIT_EXCEEDED", Retry_After=0)] * 4)
        say(service, refusal(429, "RATE_LIMIT_EXCEEDED", Retry_After=7))
        with pytest.raises(errors.RateLimited) as raised:
            await settle(client.check(ADDRESS))
    assert (2 <= took < 3, raised.value.retry_after) == (True, 7.0)


@pytest.mark.spec("SDK-005")
def test_waits_grow_differ_and_end_at_a_minute() -> None:
    drawn = [[exchanges.choose_wait(tried) for _ in range(200)] for tried in range(12)]
    for tried, waits in enumerate(drawn):
        longest = min(0.5 * 2**tried, 60)
        assert longest / 2 <= min(waits) < max(waits) <= longest
        assert len(set(waits)) > 190
    assert [exchanges.choose_wait(0, told) for told in (0.0, 5.0, 60.0, 61.0, 3_600.0)] == [0, 5, 60, 60, 60]
    assert exchanges.choose_wait(10**9) <= 60


@pytest.mark.spec("SDK-005")
@pytest.mark.usefixtures("short_waits")
async def test_a_service_that_is_not_there_is_said_so(connect: Connect) -> None:
    async with connect(KEY, f"http://127.0.0.1:{free_port()}") as client:
        with pytest.raises(NetworkFailed, match="ConnectError") as raised:
            await settle(client.credits())
    assert (raised.value.status, raised.value.code) == (0, "")


@pytest.mark.spec("SDK-006")
def test_there_is_a_class_for_each_code_of_the_catalogue() -> None:
    assert set(errors.BY_CODE) == {entry.code for entry in CATALOGUE}
    assert all(issubclass(one, EmailCheckError) for one in errors.BY_CODE.values())
    assert len(set(errors.BY_CODE.values())) == len(CATALOGUE)
    assert all(getattr(errors, one.__name__) is one for one in errors.BY_CODE.values())


@pytest.mark.spec("SDK-006")
@pytest.mark.usefixtures("short_waits")
@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: entry.code)
async def test_each_code_comes_as_its_class(connect: Connect, service: CuttingProxy, entry: Entry) -> None:
    code, status = entry.code, entry.status
    body = f'{{"code": "{code}", "message": "No", "details": {{"field": "x", "needed": 5, "available": 2}}}}'
    say(service, answer(status, body, X_Request_Id="req_2", Retry_After=3))
    async with connect(KEY, service.address, max_retries=0) as client:
        with pytest.raises(errors.BY_CODE[code]) as raised:
            await settle(client.check(ADDRESS))
    found = raised.value
    assert (found.code, found.status, found.request_id, found.retry_after) == (code, status, "req_2", 3.0)
    if isinstance(found, errors.QuotaExceeded):
        assert (found.needed, found.available) == (5, 2)


@pytest.mark.spec("SDK-006")
@pytest.mark.parametrize(
    ("status", "body", "shown"),
    [
        (200, "", "an empty body"),
        (200, "<html>" + "x" * 500, "<html>" + "x" * 194),
        (200, "[1, 2]", "[1, 2]"),
        (404, "<h1>Nothing here</h1>", "<h1>Nothing here</h1>"),
        (301, "", "an empty body"),
    ],
)
async def test_what_is_no_answer_of_the_service_is_shown(
    connect: Connect, service: CuttingProxy, status: int, body: str, shown: str
) -> None:
    say(service, answer(status, body))
    async with connect(KEY, service.address) as client:
        with pytest.raises(BadAnswer) as raised:
            await settle(client.check(ADDRESS))
    assert raised.value.message == f"Status {status}, and no answer of EmailCheck: {shown}"
    assert (raised.value.status, len(service.seen)) == (status, 1)


@pytest.mark.spec("SDK-003")
async def test_words_and_members_that_are_new_are_kept(connect: Connect, service: CuttingProxy) -> None:
    say(service, answer(200, '{"category": "quarantined", "decision": "allow", "validated_at": "soon", "id": null}'))
    async with connect(KEY, service.address) as client:
        verdict = await settle(client.check(ADDRESS))
    assert (verdict.category == Category.OTHER, verdict.category != Category.VALID) == (True, True)
    assert (verdict.category.name, verdict.category.value, str(verdict.category)) == ("OTHER", *["quarantined"] * 2)
    assert (verdict.raw["decision"], verdict.validated_at, verdict.id) == ("allow", None, "")
    assert {Category.OTHER: 1}[verdict.category] == 1
    assert (Category.VALID == "valid", Category("valid") is Category.VALID, Category.VALID == "invalid") == (
        True, True, False
    )  # fmt: skip


@pytest.mark.spec("SDK-010")
@pytest.mark.parametrize("key", ["", "ec_test_a\n", "ec_test_a\r\nX: y", " ec_test_a", "ec_test_ä", "ec test"])
def test_what_cannot_be_a_key_is_refused_before_any_call(key: str) -> None:
    with pytest.raises(BadUsage) as raised:
        EmailCheck(key)
    assert "ec_test" not in str(raised.value)


@pytest.mark.spec("SDK-010")
@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "ftp://emailcheck.app", "emailcheck.app", "https://"])
def test_an_address_without_encryption_is_refused_before_any_call(url: str) -> None:
    with pytest.raises(BadUsage):
        EmailCheck(KEY, url)
    EmailCheck(KEY, "https://emailcheck.app/").close()
    EmailCheck(KEY, "http://127.0.0.1:8000", allow_http=True).close()
