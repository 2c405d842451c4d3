"""How well-kept mail hosts word their replies: in the manner of Postfix, Exim, Exchange, Exchange Online and Gmail.

The texts are those of the programs and services themselves, from their sources and manuals, with details drawn anew.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.engine.model import Manner, Pipelining, Tls

CRLF = b"\r\n"


def reply(code: int, *lines: str) -> bytes:
    """A reply off the wire's end: one line, or several with the code repeated (RFC 5321 section 4.2.1)."""
    *first, last = lines
    return "".join([*(f"{code}-{line}\r\n" for line in first), f"{code} {last}\r\n"]).encode()


@dataclass(frozen=True, slots=True)
class Style:
    """One family of mail hosts. `{h}` stands for the host's name, `{t}` for a token, `{0}` for the recipient.

    `words` holds what is said of known recipients by kind; `missing` the ways to say that nobody has the mailbox.
    """

    name: str
    greetings: Sequence[tuple[str, ...]]
    extensions: Sequence[str]
    mail_ok: str
    accepted: str
    missing: Sequence[bytes]
    words: Mapping[str, Sequence[bytes]]
    relay_denied: str
    bye: str
    reset_ok: str
    errors_per_session: int = 0
    nonmail_per_session: int = 0
    mx_suffixes: Sequence[str] = field(default=())
    not_found: frozenset[str] = frozenset({"mailbox_not_found"})

    def manner(self, host: str, rng: random.Random, *, tls: Tls = Tls.NONE, utf8: bool = True) -> Manner:
        """How the host of that name talks."""
        offered = [name for name in self.extensions if utf8 or name != "SMTPUTF8"]
        fill = _filler(host, rng)
        return Manner(
            greeting=reply(220, *map(fill, rng.choice(self.greetings))),
            ehlo=reply(250, fill("{h} Hello probe"), *offered),
            helo=reply(250, host),
            mail_ok=fill(self.mail_ok).encode() + CRLF,
            accepted=fill(self.accepted).encode() + CRLF,
            missing=fill(rng.choice(self.missing).decode()).encode(),
            reset_ok=self.reset_ok.encode() + CRLF,
            bye=fill(self.bye).encode() + CRLF,
            relay_denied=fill(self.relay_denied).encode() + CRLF,
            too_many_errors=fill("421 4.7.0 {h} Error: too many errors").encode() + CRLF,
            errors_per_session=self.errors_per_session,
            nonmail_per_session=self.nonmail_per_session,
            tls=tls,
            utf8=utf8 and "SMTPUTF8" in offered,
            pipelining=Pipelining.YES if "PIPELINING" in offered else Pipelining.NO,
        )

    def word(self, kind: str, address: str, host: str, rng: random.Random) -> bytes:
        """What is said of a recipient in that condition."""
        text = rng.choice(self.words[kind]).decode()
        return _filler(host, rng)(text).replace("{0}", address).encode()


def _filler(host: str, rng: random.Random) -> Callable[[str], str]:
    token = f"{rng.getrandbits(64):x}.{rng.randrange(100, 999)}"
    clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}:{rng.randrange(60):02}"
    return lambda text: text.replace("{h}", host).replace("{t}", token).replace("{c}", clock)


POSTFIX = Style(
    "postfix",
    (("{h} ESMTP Postfix (Debian/GNU)",), ("{h} ESMTP Postfix",), ("{h} ESMTP",)),
    ("PIPELINING", "SIZE 31457280", "ETRN", "ENHANCEDSTATUSCODES", "8BITMIME", "DSN", "SMTPUTF8", "CHUNKING"),
    "250 2.1.0 Ok",
    "250 2.1.5 Ok",
    (
        reply(550, "5.1.1 <{0}>: Recipient address rejected: User unknown in local recipient table"),
        reply(550, "5.1.1 <{0}>: Recipient address rejected: User unknown in relay recipient table"),
        reply(550, "5.1.1 <{0}>: Recipient address rejected: undeliverable address: unknown user"),
    ),
    {
        "full": (reply(552, "5.2.2 <{0}>: Recipient address rejected: Quota exceeded (mailbox for user is full)"),),
        "full_now": (reply(452, "4.2.2 <{0}>: Recipient address rejected: Quota exceeded (mailbox for user is full)"),),
        "disabled": (
            reply(550, "5.2.1 <{0}>: Recipient address rejected: this account is suspended"),
            reply(550, "5.2.1 <{0}>: Recipient address rejected: closed account"),
        ),
        "trouble": (reply(451, "4.3.5 <{0}>: Recipient address rejected: Server configuration problem"),),
    },
    "554 5.7.1 <{0}>: Relay access denied",
    "221 2.0.0 Bye",
    "250 2.0.0 Ok",
    errors_per_session=20,  # smtpd_hard_error_limit
)

EXIM = Style(
    "exim",
    (
        ("{h} ESMTP Exim 4.96.2 #2 Tue, 03 Jun 2025 {c} +0000",),
        (
            "{h} ESMTP Exim 4.98.1 #2 Tue, 03 Jun 2025 {c} -0500 ",
            " We do not authorize the use of this system to transport unsolicited, ",
            " and/or bulk e-mail.",
        ),
    ),
    ("SIZE 52428800", "LIMITS MAILMAX=1000 RCPTMAX=50000", "8BITMIME", "PIPELINING", "PIPECONNECT", "HELP"),
    "250 OK",
    "250 Accepted",
    (
        reply(550, "<{0}>: no mailbox by that name is currently available"),
        reply(550, "Unknown user"),
        reply(550, "Recipient unknown"),
        reply(550, "<{0}> is not a known recipient"),
    ),
    {
        "full": (reply(552, "<{0}> mailbox is over quota"), reply(550, "Mailbox full")),
        "full_now": (reply(450, "<{0}> mailbox is full, the owner has been told"),),
        "disabled": (reply(550, "This account has been suspended"), reply(550, "<{0}> account has been closed")),
        "trouble": (reply(451, "Temporary local problem - please try later"),),
    },
    "550 <{0}>: relay not permitted",
    "221 {h} closing connection",
    "250 Reset OK",
    nonmail_per_session=10,  # smtp_accept_max_nonmail
)

EXCHANGE = Style(
    "exchange",
    (("{h} Microsoft ESMTP MAIL Service ready at Tue, 3 Jun 2025 {c} +0200",),),
    ("SIZE 37748736", "PIPELINING", "DSN", "ENHANCEDSTATUSCODES", "8BITMIME", "BINARYMIME", "CHUNKING", "SMTPUTF8"),
    "250 2.1.0 Sender OK",
    "250 2.1.5 Recipient OK",
    (
        reply(550, "5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup"),
        reply(550, "5.1.1 User unknown"),
    ),
    {
        "full": (reply(554, "5.2.2 mailbox full; STOREDRV.Deliver.Exception:QuotaExceededException.MapiException"),),
        "full_now": (reply(452, "4.2.2 mailbox full"),),
        "disabled": (reply(550, "5.2.1 RESOLVER.RST.RecipientDisabled; recipient account is disabled"),),
        "trouble": (reply(451, "4.7.0 Temporary server error. Please try again later. PRX2 {t}"),),
    },
    "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
    "221 2.0.0 Service closing transmission channel",
    "250 2.0.0 Resetting",
)

EXCHANGE_ONLINE = Style(
    "exchange online",
    (("DB1PEPF000{t}.mail.protection.outlook.com Microsoft ESMTP MAIL Service ready at Tue, 3 Jun 2025 {c} +0000",),),
    ("SIZE 157286400", "PIPELINING", "DSN", "ENHANCEDSTATUSCODES", "8BITMIME", "BINARYMIME", "CHUNKING", "SMTPUTF8"),
    "250 2.1.0 Sender OK",
    "250 2.1.5 Recipient OK",
    (
        reply(
            550,
            "5.4.1 Recipient address rejected: Access denied. For more information see "
            "https://aka.ms/EXOSmtpErrors [DB1PEPF000{t}.eurprd03.prod.outlook.com 2025-06-03T{c}.000Z]",
        ),
    ),
    {
        "full": (reply(552, "5.2.2 The recipient's mailbox is over its quota [DB1PEPF000{t}]"),),
        "full_now": (reply(452, "4.2.2 The recipient's mailbox is over its quota [DB1PEPF000{t}]"),),
        "disabled": (reply(550, "5.2.1 The recipient's mailbox is disabled [DB1PEPF000{t}]"),),
        "trouble": (reply(451, "4.4.4 Temporary server error. Please try again later ATTR5 [DB1PEPF000{t}]"),),
    },
    "550 5.7.54 SMTP; Unable to relay recipient in non-accepted domain",
    "221 2.0.0 Service closing transmission channel",
    "250 2.0.0 Resetting",
    mx_suffixes=(".mail.protection.outlook.com",),
)

GMAIL = Style(
    "gmail",
    (("mx.google.com ESMTP {t} - gsmtp",),),
    ("SIZE 157286400", "8BITMIME", "ENHANCEDSTATUSCODES", "PIPELINING", "CHUNKING", "SMTPUTF8"),
    "250 2.1.0 OK {t} - gsmtp",
    "250 2.1.5 OK {t} - gsmtp",
    (
        reply(
            550,
            "5.1.1 The email account that you tried to reach does not exist. Please try",
            "5.1.1 double-checking the recipient's email address for typos or",
            "5.1.1 unnecessary spaces. For more information, go to",
            "5.1.1  https://support.google.com/mail/?p=NoSuchUser {t} - gsmtp",
        ),
    ),
    {
        "full": (
            reply(
                552,
                "5.2.2 The recipient's inbox is out of storage space and inactive. Please",
                "5.2.2 direct the recipient to https://support.google.com/mail/?p=OverQuotaPerm {t} - gsmtp",
            ),
        ),
        "full_now": (
            reply(
                452,
                "4.2.2 The recipient's inbox is out of storage space. Please direct the",
                "4.2.2 recipient to https://support.google.com/mail/?p=OverQuotaTemp {t} - gsmtp",
            ),
        ),
        "disabled": (
            reply(
                550,
                "5.2.1 The email account that you tried to reach is disabled. For more information, go to",
                "5.2.1  https://support.google.com/mail/?p=AccountDisabled {t} - gsmtp",
            ),
        ),
        "busy": (
            reply(
                450,
                "4.2.1 The user you are trying to contact is receiving mail too quickly.",
                "4.2.1 Please resend your message at a later time. If the user is able to",
                "4.2.1 receive mail at that time, your message will be delivered.",
                "4.2.1  https://support.google.com/mail/?p=ReceivingRate {t} - gsmtp",
            ),
        ),
        "trouble": (reply(451, "4.3.0 Mail server temporarily rejected message. {t} - gsmtp"),),
    },
    "550 5.7.1 <{0}>: relaying denied {t} - gsmtp",
    "221 2.0.0 closing connection {t} - gsmtp",
    "250 2.1.5 Flushed {t} - gsmtp",
    mx_suffixes=("aspmx.l.google.com", "alt1.aspmx.l.google.com", "alt2.aspmx.l.google.com"),
)

OWN_HOSTS = (POSTFIX, POSTFIX, POSTFIX, EXIM, EXIM, EXCHANGE)
