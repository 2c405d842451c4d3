"""The SMTP server that takes what the product sends, whoever it is for."""

from types import SimpleNamespace

from aiosmtpd.smtp import SMTP, Envelope, Session

from emailcheck.sandbox.outbox.store import Outbox

_MAX_MAIL = 16 * 1024 * 1024


def build_sink_protocol(outbox: Outbox) -> SMTP:
    """The server's side of one connection that puts mails into the outbox."""

    async def store(server: SMTP, session: Session, envelope: Envelope) -> str:
        mail = outbox.add(envelope.mail_from or "", envelope.rcpt_tos, envelope.original_content or b"")
        return f"250 2.0.0 Ok: kept as {mail.id}"

    hooks = SimpleNamespace(handle_DATA=store)
    return SMTP(hooks, data_size_limit=_MAX_MAIL, enable_SMTPUTF8=True, hostname="outbox.sandbox")
