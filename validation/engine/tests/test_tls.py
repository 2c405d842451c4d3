"""Rule 8: STARTTLS is used when a host offers or demands it; certificate problems never decide a mailbox."""

import asyncio
import ssl
from collections.abc import Sequence

import pytest

from validation.engine import Category, Outcome, Reason
from validation.engine.tests.world import Host, World


class TlsHost(Host):
    """A host with STARTTLS. `context` None means that the handshake fails; `demands` that MAIL needs TLS."""

    context: ssl.SSLContext | None = None
    demands: bool = False
    injected: bytes = b""

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mx.test\r\n")
        secure = False
        while line := await reader.readline():
            text = line.decode().strip()
            self.log.append(text)
            verb = text.split(" ")[0]
            if verb == "STARTTLS":
                writer.write(b"220 go ahead\r\n" + self.injected)
                if self.context is None:
                    writer.write(b"this is no handshake\r\n")
                    return
                await writer.start_tls(self.context)
                secure = True
                continue
            writer.write(self._reply(verb, text, secure=secure).encode() + b"\r\n")

    def _reply(self, verb: str, line: str, *, secure: bool) -> str:
        offered: Sequence[str] = () if secure else ("250-STARTTLS\r\n",)
        if verb == "EHLO":
            return "250-mx.test\r\n" + "".join(offered) + "250 PIPELINING"
        if verb == "MAIL" and self.demands and not secure:
            return "530 5.7.0 Must issue a STARTTLS command first"
        if verb == "RCPT":
            return self.answer(line.partition("<")[2].rstrip(">"))
        return "221 Bye" if verb == "QUIT" else "250 Ok"


async def test_rule_8_an_expired_certificate_for_another_name_is_good_enough(
    world: World, expired_certificate: ssl.SSLContext
) -> None:
    host = TlsHost()
    host.context, host.demands = expired_certificate, True
    await world.domain("shop.com", host)
    verdict = await world.verdict("alice@shop.com")
    assert verdict.category == Category.VALID
    assert {check.name: check.outcome for check in verdict.checks}["smtp_encryption"] == Outcome.PASS
    assert host.log[:4] == ["EHLO localhost", "STARTTLS", "EHLO localhost", "MAIL FROM:<>"]


@pytest.mark.parametrize("name", [r"\..shop.com", r"\000" * 20 + ".shop.com"])
async def test_rule_8_a_host_whose_name_no_handshake_can_hold_is_asked_without_naming_it(
    world: World, expired_certificate: ssl.SSLContext, name: str
) -> None:
    host = TlsHost()
    host.context, host.demands = expired_certificate, True
    world.dns.mx("shop.com", name)
    await world.host(name, "11.0.0.1", host)
    verdict = await world.verdict("alice@shop.com")
    assert (verdict.category, host.connections) == (Category.VALID, 1)
    assert {check.name: check.outcome for check in verdict.checks}["smtp_encryption"] == Outcome.PASS


async def test_rule_8_a_failing_handshake_is_followed_by_a_try_in_clear(world: World) -> None:
    host = TlsHost()
    await world.domain("shop.com", host)
    verifier = world.verifier()
    verdict = await verifier.verify("alice@shop.com")
    assert verdict.category == Category.VALID
    assert host.connections == 2


async def test_rule_8_where_tls_is_demanded_and_fails_nothing_is_known_about_the_mailbox(world: World) -> None:
    host = TlsHost()
    host.demands = True
    await world.domain("shop.com", host)
    verdict = await world.verdict("alice@shop.com")
    assert (verdict.category, verdict.reason) == (Category.UNKNOWN, Reason.BLOCKED)


async def test_rule_8_what_was_sent_in_clear_before_the_handshake_is_forgotten(
    world: World, expired_certificate: ssl.SSLContext
) -> None:
    host = TlsHost()
    host.context, host.injected = expired_certificate, b"550 5.1.1 forged\r\n"
    await world.domain("shop.com", host)
    verdict = await world.verdict("alice@shop.com")
    assert verdict.category == Category.VALID
