"""The pages about the world, its switches and its counters."""

import re

import httpx2
import pytest

from emailcheck.sandbox import Sandbox, look
from emailcheck.sandbox.tests.dialogue import SmtpClient, address_of

JSON = {"Accept": "application/json"}


@pytest.mark.parametrize("path", ["/sandbox", "/sandbox/"])
async def test_the_index_is_labelled_and_lists_the_parties(web: httpx2.AsyncClient, path: str) -> None:
    response = await web.get(path)
    assert response.status_code == 200
    assert '<span class="tag-sandbox">Sandbox</span>' in response.text
    assert "A simulation on this machine." in response.text
    assert 'href="/sandbox/outbox"' in response.text
    assert "1,139 domains on 287 mail hosts" in response.text


async def test_the_index_tells_what_to_expect_of_each_example(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    page = (await web.get("/sandbox")).text
    examples = [
        f"{local}@{domain.title}" for domain in sandbox.simulation.world.domains.values() for local in domain.examples
    ]
    assert len(examples) > 100
    assert [address for address in examples if f"<code>{address}</code>" not in page] == []


async def test_the_pages_load_nothing_but_their_own_stylesheet_and_the_fonts_of_the_product(
    web: httpx2.AsyncClient,
) -> None:
    response = await web.get("/sandbox")
    assert response.headers["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'"
    )
    assert "<script" not in response.text
    assert "style=" not in response.text
    assert "://" not in response.text
    style = await web.get("/sandbox/style.css")
    assert style.headers["Content-Type"].startswith("text/css")
    loaded = re.findall(r"url\(([^)]*)\)", style.text)
    names = ["inter-basic", "inter-latin-wght-normal", "ibm-plex-mono-latin-400-normal"]
    assert len(loaded) == len(names)
    for source, name in zip(loaded, names, strict=True):
        assert re.fullmatch(rf'"/static/{name}(-[A-Z0-9]{{8}})?\.woff2"', source)


async def test_verdicts_wear_the_signs_of_the_product(web: httpx2.AsyncClient) -> None:
    page = (await web.get("/sandbox")).text
    for category in ("valid", "invalid", "catch_all", "disposable", "unknown"):
        assert f'<span class="badge tone-{category}"><svg' in page
        assert f'd="{look.read_glyphs()[category]}"' in page
    assert str(look.read_mark()) in page


async def test_the_world_as_json(web: httpx2.AsyncClient) -> None:
    world = (await web.get("/sandbox/world.json")).json()
    assert world["rules"][0] == {
        "words": ["gone", "nobody", "deleted"],
        "category": "invalid",
        "reason": "mailbox_not_found",
    }
    entry = next(entry for entry in world["groups"]["Asks for patience"] if entry["domain"] == "patientpine.org")
    assert entry["examples"][0] == {
        "address": "ida.holm@patientpine.org",
        "category": "unknown",
        "reason": "greylisted",
        "later": ["valid", "mailbox_exists"],
    }


async def test_switches_change_the_running_world(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    assert (await web.get("/sandbox/switches")).json() == {"latency_ms": 0.0, "greylist_s": 3.0}
    response = await web.post("/sandbox/switches", json={"latency_ms": 50, "greylist_s": 0})
    assert response.json() == {"latency_ms": 50.0, "greylist_s": 0.0}
    assert (sandbox.simulation.switches.latency_ms, sandbox.simulation.switches.greylist_s) == (50.0, 0.0)
    async with SmtpClient(sandbox, address_of(sandbox.simulation.world, "greylist")) as smtp:
        await smtp.reply()
        replies = await smtp.say("EHLO client.example", "MAIL FROM:<>", "RCPT TO:<ida.holm@patientpine.org>")
    assert replies[-1] == "250 2.1.5 Ok"


async def test_a_form_of_switches_leads_back_to_the_page(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    response = await web.post("/sandbox/switches", data={"latency_ms": "12.5", "greylist_s": "1"})
    assert (response.status_code, response.headers["Location"]) == (303, "/sandbox#switches")
    assert sandbox.simulation.switches.latency_ms == 12.5
    assert 'value="12.5"' in (await web.get("/sandbox")).text


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ('{"latency_ms": -1}', "latency_ms is a number from 0 to 10000."),
        ('{"latency_ms": "NaN"}', "latency_ms is a number from 0 to 10000."),
        ('{"greylist_s": [1]}', "greylist_s is a number from 0 to 3600."),
        ('{"gravity": 9.81}', "There is no switch gravity; there are latency_ms, greylist_s."),
        ('{"latency_ms": 5, "greylist_s": 9999}', "greylist_s is a number from 0 to 3600."),
        ("[1]", "Send a form or a JSON object of switches."),
        ("{", "Send a form or a JSON object of switches."),
    ],
)
async def test_impossible_switches_change_nothing(
    sandbox: Sandbox, web: httpx2.AsyncClient, body: str, detail: str
) -> None:
    response = await web.post("/sandbox/switches", content=body, headers={"Content-Type": "application/json"})
    assert (response.status_code, response.json()) == (400, {"detail": detail})
    assert (sandbox.simulation.switches.latency_ms, sandbox.simulation.switches.greylist_s) == (0.0, 3.0)


async def test_too_much_is_refused(web: httpx2.AsyncClient) -> None:
    assert (await web.post("/sandbox/switches", content=b"x" * 10_001)).status_code == 413


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/sandbox/switches"),
        ("POST", "/sandbox/reset"),
        ("DELETE", "/sandbox/outbox"),
        ("POST", "/sandbox/outbox/clear"),
    ],
)
async def test_other_sites_may_not_press_the_buttons(web: httpx2.AsyncClient, method: str, path: str) -> None:
    response = await web.request(method, path, headers={"Sec-Fetch-Site": "cross-site"})
    assert (response.status_code, response.json()) == (403, {"detail": "Not from another site."})


async def test_counters_are_told_and_reset(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    address = address_of(sandbox.simulation.world, "oldpost")
    async with SmtpClient(sandbox, address) as smtp:
        await smtp.reply()
        await smtp.say("EHLO client.example", "MAIL FROM:<>", "RCPT TO:<a@mapletide.net>", "RCPT TO:<b@mapletide.net>")
        told = (await web.get("/sandbox/stats")).json()
    assert told["hosts"] == {
        address: {
            "name": "mail.oldpost-hosting.com",
            "operator": "oldpost",
            "connections": 1,
            "open": 1,
            "peak": 1,
            "largest_flush": 4,
            "commands": {"EHLO": 1, "MAIL": 1, "RCPT": 2},
        }
    }
    assert (told["connections"], told["peak_per_host"], told["commands"]["RCPT"]) == (1, 1, 2)
    assert told["switches"] == {"latency_ms": 0.0, "greylist_s": 3.0}
    after = (await web.post("/sandbox/reset", headers=JSON)).json()
    assert (after["connections"], after["commands"]) == (0, {})


@pytest.mark.parametrize(("path", "status"), [("/sandbox/nowhere", 404), ("/", 404), ("/sandbox/reset", 405)])
async def test_unknown_paths(web: httpx2.AsyncClient, path: str, status: int) -> None:
    assert (await web.get(path)).status_code == status
