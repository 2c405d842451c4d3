"""TXT records put into the simulated DNS: by the page of a registrar, seen over DNS, kept over restarts."""

from pathlib import Path

import dns.asyncquery
import dns.message
import dns.rcode
import httpx2
import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox
from emailcheck.sandbox.mailworld.dns.texts import MOST

JSON = {"Accept": "application/json"}
NAME, TEXT = "_emailcheck.alder-and-ash.com", "emailcheck-domain=0123abcd"
PATH = "/sandbox/dns"


async def ask(sandbox: Sandbox, name: str, rdtype: str = "TXT") -> tuple[str, list[str]]:
    """The code of the answer, and its records; of a TXT record the strings in one."""
    query = dns.message.make_query(name, rdtype)
    answer, _ = await dns.asyncquery.udp_with_fallback(query, "127.0.0.1", timeout=20, port=sandbox.dns_port)
    records = [record for rrset in answer.answer for record in rrset]
    found = [b"".join(one.strings).decode() if rdtype == "TXT" else one.to_text() for one in records]
    return dns.rcode.to_text(answer.rcode()), sorted(found)


async def add(web: httpx2.AsyncClient, name: str, text: str) -> httpx2.Response:
    return await web.post(PATH, json={"name": name, "text": text})


async def test_a_record_is_answered_from_its_adding_to_its_removal(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    assert await ask(sandbox, NAME) == ("NXDOMAIN", [])
    answer = await add(web, f" {NAME.upper()}. ", f" {TEXT} ")
    assert (answer.status_code, answer.json()) == (200, [{"name": NAME, "text": TEXT}])
    assert await ask(sandbox, NAME) == ("NOERROR", [TEXT])
    assert await ask(sandbox, NAME, "MX") == ("NOERROR", [])
    await add(web, NAME, TEXT)
    await add(web, NAME, "another")
    assert await ask(sandbox, NAME) == ("NOERROR", ["another", TEXT])
    assert (await web.get(PATH, headers=JSON)).json() == [{"name": NAME, "text": text} for text in (TEXT, "another")]
    for text in (TEXT, "another", "another"):
        assert (await web.post(f"{PATH}/remove", json={"name": NAME, "text": text})).status_code == 200
    assert await ask(sandbox, NAME) == ("NXDOMAIN", [])
    assert (await web.get(PATH, headers=JSON)).json() == []


async def test_a_domain_keeps_the_records_that_it_had(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await add(web, "alder-and-ash.com", TEXT)
    assert await ask(sandbox, "alder-and-ash.com") == ("NOERROR", [TEXT, "v=spf1 mx -all"])
    assert (await ask(sandbox, "alder-and-ash.com", "MX"))[1] != []
    await web.post(f"{PATH}/remove", json={"name": "alder-and-ash.com", "text": TEXT})
    assert await ask(sandbox, "alder-and-ash.com") == ("NOERROR", ["v=spf1 mx -all"])


async def test_a_name_outside_the_world_is_known_by_its_record_alone(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await add(web, "_emailcheck.bücher-birch.net", TEXT)
    name = "_emailcheck.xn--bcher-birch-thb.net"
    assert (await web.get(PATH, headers=JSON)).json() == [{"name": name, "text": TEXT}]
    assert await ask(sandbox, name) == ("NOERROR", [TEXT])
    assert await ask(sandbox, "xn--bcher-birch-thb.net") == ("REFUSED", [])


async def test_records_are_there_after_a_restart(tmp_path: Path) -> None:
    text = 'ä"\\; ' * 100
    async with start_sandbox(SandboxOptions(data_dir=tmp_path)) as first:
        first.simulation.add_text(NAME, text)
    async with start_sandbox(SandboxOptions(data_dir=tmp_path)) as second:
        assert await ask(second, NAME) == ("NOERROR", [text.strip()])
        second.simulation.remove_text(NAME, text)
    (tmp_path / "dns.json").write_text("[[1]]")
    async with start_sandbox(SandboxOptions(data_dir=tmp_path)) as third:
        assert list(third.simulation.texts) == []


@pytest.mark.parametrize(
    ("name", "text", "detail"),
    [
        ("", TEXT, "Name a record such as _emailcheck.example.com."),
        ("localhost", TEXT, "Name a record such as _emailcheck.example.com."),
        ("a b.com", TEXT, "Name a record such as _emailcheck.example.com."),
        (f"{'x' * 64}.com", TEXT, "Name a record such as _emailcheck.example.com."),
        (NAME, "  ", "A text has 1 to 1,000 characters on one line."),
        (NAME, "a\nb", "A text has 1 to 1,000 characters on one line."),
        (NAME, "x" * 1_001, "A text has 1 to 1,000 characters on one line."),
        ("x.neverregistered.com", TEXT, "neverregistered.com takes no records: "),
        ("brandnewname.com", TEXT, "brandnewname.com takes no records: "),
    ],
)
async def test_what_cannot_be_a_record_is_refused(
    sandbox: Sandbox, web: httpx2.AsyncClient, name: str, text: str, detail: str
) -> None:
    answer = await add(web, name, text)
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith(detail)
    assert list(sandbox.simulation.texts) == []


async def test_records_are_bounded(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    for number in range(MOST):
        sandbox.simulation.add_text(NAME, str(number))
    answer = await add(web, NAME, TEXT)
    assert (answer.status_code, answer.json()["detail"][:22]) == (400, "There are 100 records.")


async def test_the_page_adds_and_removes_by_forms(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    assert "No record was added yet" in (await web.get(PATH)).text
    response = await web.post(PATH, data={"name": NAME, "text": '"><script>'})
    assert (response.status_code, response.headers["Location"]) == (303, PATH)
    page = (await web.get(PATH)).text
    assert f'aria-label="Remove {NAME}"' in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page
    await web.post(f"{PATH}/remove", data={"name": NAME, "text": '"><script>'})
    assert list(sandbox.simulation.texts) == []


@pytest.mark.parametrize("path", [PATH, f"{PATH}/remove"])
async def test_other_sites_may_not_change_records(web: httpx2.AsyncClient, path: str) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert (await web.post(path, json={"name": NAME, "text": TEXT}, headers=headers)).status_code == 403
