"""From the product's SMTP client to the outbox's pages, and over a restart."""

import asyncio
import smtplib
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import httpx2
import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox
from emailcheck.sandbox.outbox.store import Outbox

JSON = {"Accept": "application/json"}


def mail(subject: str = "Confirm your e-mail address", to: str = "Anna <anna.keller@gmail.com>") -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "EmailCheck <hello@emailcheck.example>"
    message["To"] = to
    message.set_content(
        "Grüße!\nOpen http://127.0.0.1:8000/verify?token=a.b-c, please (or http://127.0.0.1:8000/help).\n"
    )
    message.add_alternative(
        '<p>Grüße! <a href="http://127.0.0.1:8000/verify?token=a.b-c&amp;from=mail">Confirm</a>'
        '<a href="mailto:help@emailcheck.example">Help</a><a href="javascript:alert(1)">No</a></p>'
        "<script>document.title = 'pwned'</script>",
        subtype="html",
    )
    return message


async def send(sandbox: Sandbox, *messages: EmailMessage) -> None:
    await asyncio.to_thread(_send, sandbox.mail_port, messages)


def _send(port: int, messages: tuple[EmailMessage, ...]) -> None:
    with smtplib.SMTP("127.0.0.1", port, local_hostname="product.example") as client:
        for message in messages:
            client.send_message(message)


async def test_a_mail_arrives_with_its_texts_and_links(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    before = datetime.now(UTC)
    await send(sandbox, mail())
    (kept,) = (await web.get("/sandbox/outbox", headers=JSON)).json()
    assert kept["to"] == "anna.keller@gmail.com"
    assert kept["sender"] == "hello@emailcheck.example"
    assert kept["subject"] == "Confirm your e-mail address"
    assert kept["text"].startswith("Grüße!\nOpen http://127.0.0.1:8000/verify?token=a.b-c, please")
    assert kept["html"].startswith("<p>Grüße! <a href=")
    assert kept["links"] == [
        "http://127.0.0.1:8000/verify?token=a.b-c&from=mail",
        "http://127.0.0.1:8000/verify?token=a.b-c",
        "http://127.0.0.1:8000/help",
    ]
    assert 0 <= (datetime.fromisoformat(kept["date"]) - before).total_seconds() < 60


async def test_the_newest_mail_comes_first(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await send(sandbox, mail("First"), mail("Second"))
    listed = (await web.get("/sandbox/outbox", headers=JSON)).json()
    assert [kept["subject"] for kept in listed] == ["Second", "First"]
    page = (await web.get("/sandbox/outbox", headers={"Accept": "text/html,application/json"})).text
    assert page.index(">Second</a>") < page.index(">First</a>")


async def test_every_recipient_is_named_hidden_ones_too(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    message = mail(to="anna.keller@gmail.com, bob@harborquill.com")
    message["Bcc"] = "audit@harborquill.com"
    await send(sandbox, message)
    (kept,) = (await web.get("/sandbox/outbox", headers=JSON)).json()
    assert kept["to"] == "anna.keller@gmail.com, bob@harborquill.com, audit@harborquill.com"


async def test_a_program_may_ask_for_the_mails_to_one_address(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await send(sandbox, mail("One", to="anna.keller@gmail.com, bob@harborquill.com"), mail("Two", to="bob@gmail.com"))
    for address, subjects in (("Bob@HarborQuill.com", ["One"]), ("bob@gmail.com", ["Two"]), ("ob@gmail.com", [])):
        listed = (await web.get("/sandbox/outbox", headers=JSON, params={"to": address})).json()
        assert [kept["subject"] for kept in listed] == subjects


async def test_what_a_mail_says_is_inert_in_the_pages(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await send(sandbox, mail(subject="<script>alert(1)</script>"))
    for path in ("/sandbox/outbox", "/sandbox/outbox/1"):
        page = (await web.get(path, headers={"Accept": "text/html"})).text
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
        assert "<script" not in page
        assert 'href="http://127.0.0.1:8000/verify?token=a.b-c&amp;from=mail"' in page
        assert "javascript:" not in page


async def test_a_mails_html_is_served_in_a_sandbox_without_scripts(sandbox: Sandbox, web: httpx2.AsyncClient) -> None:
    await send(sandbox, mail())
    page = (await web.get("/sandbox/outbox/1")).text
    assert '<iframe class="mail-html" title="The mail as HTML" sandbox="allow-popups' in page
    framed = await web.get("/sandbox/outbox/1/html")
    assert framed.text.startswith('<!doctype html><base target="_blank"><p>Grüße!')
    assert framed.headers["Content-Security-Policy"] == (
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; frame-ancestors 'self'"
    )


@pytest.mark.parametrize(("method", "path"), [("DELETE", "/sandbox/outbox"), ("POST", "/sandbox/outbox/clear")])
async def test_clearing(sandbox: Sandbox, web: httpx2.AsyncClient, tmp_path: Path, method: str, path: str) -> None:
    await send(sandbox, mail())
    response = await web.request(method, path)
    assert response.status_code == {"DELETE": 204, "POST": 303}[method]
    assert (await web.get("/sandbox/outbox", headers=JSON)).json() == []
    assert list((tmp_path / "outbox").iterdir()) == []
    assert "No mail yet" in (await web.get("/sandbox/outbox")).text


@pytest.mark.parametrize("path", ["/sandbox/outbox/1", "/sandbox/outbox/1/html"])
async def test_a_mail_that_is_not_there(web: httpx2.AsyncClient, path: str) -> None:
    response = await web.get(path)
    assert response.status_code == 404
    assert response.json() == {"detail": "No such mail: it was cleared, or newer ones took its place."}


async def test_mails_survive_a_restart(tmp_path: Path) -> None:
    options = SandboxOptions(data_dir=tmp_path)
    async with start_sandbox(options) as sandbox:
        await send(sandbox, mail("Kept"))
    async with start_sandbox(options) as sandbox:
        assert [(kept.id, kept.subject) for kept in sandbox.simulation.outbox] == [(1, "Kept")]
        await send(sandbox, mail("Next"))
        assert [(kept.id, kept.subject) for kept in sandbox.simulation.outbox] == [(2, "Next"), (1, "Kept")]


def test_a_mail_that_was_written_by_half_hides_no_other(tmp_path: Path) -> None:
    kept = Outbox(tmp_path).add("", ["anna@gmail.com"], b"Subject: Kept\r\n\r\nHello\r\n")
    (tmp_path / "00000002.json").write_text('{"id": 2, "da')
    assert list(Outbox(tmp_path)) == [kept]


def test_the_oldest_mails_make_room(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    for number in range(503):
        outbox.add("", ["anna@gmail.com"], f"Subject: {number}\r\n\r\nHello\r\n".encode())
    assert len(outbox) == len(list(tmp_path.iterdir())) == 500
    assert [kept.subject for kept in outbox][-1] == "3"
    assert outbox.get(3) is None


def test_a_mail_without_parts_or_headers_is_kept(tmp_path: Path) -> None:
    kept = Outbox(tmp_path).add("", ["anna@gmail.com"], b"\r\n\xff\xfe just octets\r\n")
    assert (kept.subject, kept.html, kept.links) == ("", "", ())
