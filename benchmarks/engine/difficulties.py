"""The kinds of difficult mail hosts, each with what it changes and the verdict that is within reach."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.engine.model import Drop, Line, Manner, Noise, Pipelining, Tls, Truth, truth
from benchmarks.engine.styles import reply

BLOCKED = truth("unknown", "blocked")
RATE_LIMITED = truth("unknown", "rate_limited")
TEMPORARY = truth("unknown", "temporary")
GARBLED = truth("unknown", "protocol_error")
NO_ANSWER = truth("unknown", "timeout")
NO_CONNECTION = truth("unknown", "connect_failed")
# A host that does not answer the SYN: no connection came about, because the time was up.
NOT_THERE = truth("unknown", "connect_failed", "timeout")
# A host that hangs up without a word does not say why.
HUNG_UP = truth("unknown", "connect_failed", "temporary", "protocol_error")
BOGUS = truth("invalid", "bogus_mx")
NO_NAME_SERVER = truth("unknown", "dns_error", "timeout")

Change = Callable[[Manner, random.Random], Manner]


@dataclass(frozen=True, slots=True)
class Kind:
    """One difficulty. Without a `verdict`, the mailbox's own is within reach.

    `line` is what becomes of connections; `first` is a more preferred host that is no use; `private` puts the hosts on
    addresses that are not public; `later` says that the verdict takes a second look; `foreign` asks for international
    mailboxes too; `silent_names` has the name server say nothing.
    """

    name: str
    change: Change = lambda manner, _: manner
    verdict: Truth | None = None
    line: Line = Line.ANSWERED
    first: Line | None = None
    private: bool = False
    private_first: bool = False
    later: bool = False
    foreign: bool = False
    silent_names: bool = False


def _greylisting(manner: Manner, rng: random.Random) -> Manner:
    wait = rng.randint(1, 3)
    text = rng.choice(
        (
            reply(451, f"4.7.1 Greylisting in action, please come back in 00:00:0{wait}"),
            reply(450, f"4.7.0 <{{0}}>: greylisted for {wait} seconds"),
            reply(451, f"You are on our grey list. Retry in {wait} seconds."),
            reply(450, f"4.2.0 <{{0}}>: Recipient address rejected: delayed by postgrey, retry in {wait} s"),
        )
    )
    return replace(manner, greylist_s=wait - 0.1, greylisted=text)


def _wrong_codes(manner: Manner, rng: random.Random) -> Manner:
    missing = (reply(550, "2.1.5 no mailbox here by that name"), b"550 \r\n")
    return replace(manner, missing=rng.choice(missing), accepted=reply(250, rng.choice(("5.1.1 fine", "4.0.0 ok"))))


def _many_lines(manner: Manner, rng: random.Random) -> Manner:
    first = manner.greeting.decode().splitlines()[0][4:]
    notes = [f"{word} notice {rng.randrange(100)}" for word in ("Legal", "Abuse", "Privacy", "Service", "Policy")]
    return replace(manner, greeting=reply(220, first, *notes[: rng.randint(2, 5)], "go ahead"))


def _crowd(manner: Manner, rng: random.Random) -> Manner:
    text = rng.choice(
        (
            reply(421, "4.7.0 too many sessions from your address"),
            reply(421, "Concurrent SMTP connections from this address are limited; please try again later"),
        )
    )
    return replace(manner, connections_per_client=rng.randint(1, 2), too_many_connections=text)


REACHABLE = (
    Kind("slow greeting", lambda manner, rng: replace(manner, greeting_delay=rng.uniform(2, 6))),
    Kind("greeting of many lines", _many_lines),
    Kind("tarpit", lambda manner, rng: replace(manner, reply_delay=rng.uniform(0.1, 0.5))),
    Kind("HELO only", lambda manner, _: replace(manner, ehlo_refused=reply(502, "5.5.2 EHLO is not understood"))),
    Kind("no PIPELINING", lambda manner, _: replace(manner, pipelining=Pipelining.NO)),
    Kind("PIPELINING punished", lambda manner, _: replace(manner, pipelining=Pipelining.PUNISHED)),
    Kind("PIPELINING promised only", lambda manner, _: replace(manner, pipelining=Pipelining.SWALLOWED)),
    Kind(
        "one recipient",
        lambda manner, _: replace(
            manner, recipients_per_mail=1, over_mail=reply(452, "4.5.3 one recipient for each message, please")
        ),
    ),
    Kind(
        "few recipients",
        lambda manner, rng: replace(
            manner, recipients_per_mail=rng.randint(2, 8), over_mail=reply(452, "4.5.3 Recipient limit reached")
        ),
    ),
    Kind(
        "421 after some recipients",
        lambda manner, rng: replace(
            manner,
            recipients_per_session=rng.randint(3, 12),
            over_session=reply(421, "4.7.0 This session has had its share of recipients, goodbye"),
        ),
    ),
    Kind("hangs up after some", lambda manner, rng: replace(manner, recipients_per_session=rng.randint(3, 12))),
    Kind("few connections", _crowd),
    Kind("TLS required", lambda manner, _: replace(manner, tls=Tls.REQUIRED)),
    Kind("TLS broken", lambda manner, _: replace(manner, tls=Tls.BROKEN)),
    Kind("TLS unavailable", lambda manner, _: replace(manner, tls=Tls.UNAVAILABLE)),
    Kind("wrong enhanced codes", _wrong_codes),
    Kind("first host refuses connections", first=Line.REFUSED),
    Kind("first host is not there", first=Line.LOST),
    Kind("first host is private", private_first=True),
    Kind(
        "our sender refused",
        lambda manner, _: replace(manner, named_sender_refused=reply(550, "5.7.1 that sender is not welcome")),
    ),
    Kind("no SMTPUTF8", lambda manner, _: replace(manner, utf8=False), foreign=True),
    Kind("greylisting", _greylisting, later=True),
    Kind("greylisting, many", _greylisting, later=True),
)


def _turned_away(text: bytes) -> Change:
    return lambda manner, _: replace(manner, greeting=text)


def _no_recipient(text: bytes) -> Change:
    return lambda manner, _: replace(manner, rcpt_refused=text)


OUT_OF_REACH = (
    Kind("554 greeting", _turned_away(reply(554, "5.7.1 No SMTP service for you here")), BLOCKED),
    Kind("554 greeting, no enhanced code", _turned_away(reply(554, "your host has a poor record with us")), BLOCKED),
    Kind("421 greeting, load", _turned_away(reply(421, "4.3.2 Too much traffic at the moment")), RATE_LIMITED),
    Kind("421 greeting, down", _turned_away(reply(421, "4.3.2 System not accepting network messages")), TEMPORARY),
    Kind("EHLO and HELO refused", lambda m, _: replace(m, ehlo_refused=reply(550, "5.7.1 bad name")), BLOCKED),
    Kind("MAIL refused", lambda m, _: replace(m, mail_refused=reply(550, "5.7.1 not from your network")), BLOCKED),
    Kind("RCPT refused, list", _no_recipient(reply(550, "5.7.1 Your host is listed on bl.generated.net")), BLOCKED),
    Kind("RCPT refused, policy", _no_recipient(reply(554, "5.7.1 <{0}>: denied for policy reasons")), BLOCKED),
    Kind("RCPT too fast", _no_recipient(reply(451, "4.7.1 Slow down, you send too fast")), RATE_LIMITED),
    Kind("RCPT trouble", _no_recipient(reply(451, "4.3.0 <{0}>: table lookup failure")), TEMPORARY),
    Kind("garbage greeting", lambda m, _: replace(m, noise=Noise.GARBAGE_GREETING), GARBLED),
    Kind("garbage to RCPT", lambda m, _: replace(m, noise=Noise.GARBAGE_RCPT), GARBLED),
    Kind("endless reply", lambda m, _: replace(m, noise=Noise.ENDLESS_EHLO), GARBLED),
    Kind("reply drips", lambda m, _: replace(m, noise=Noise.DRIPPING_EHLO), NO_ANSWER),
    Kind("silence", lambda m, _: replace(m, noise=Noise.SILENT), NO_ANSWER),
    Kind("port closed", verdict=NO_CONNECTION, line=Line.REFUSED),
    Kind("host not there", verdict=NOT_THERE, line=Line.LOST),
    Kind("private addresses", verdict=BOGUS, private=True),
    Kind("hangs up at once", lambda m, _: replace(m, drop=Drop.CONNECT), HUNG_UP),
    Kind("hangs up at MAIL", lambda m, _: replace(m, drop=Drop.MAIL), HUNG_UP),
    Kind("hangs up at RCPT", lambda m, _: replace(m, drop=Drop.RCPT), HUNG_UP),
    Kind("silent name servers", verdict=NO_NAME_SERVER, silent_names=True),
)

KINDS = (*REACHABLE, *OUT_OF_REACH)
