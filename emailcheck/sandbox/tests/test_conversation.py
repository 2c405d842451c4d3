"""The SMTP dialogue of a host, command by command (RFC 5321), without sockets."""

import pytest

from emailcheck.sandbox.mailworld.scenario.expectations import expect_verdict
from emailcheck.sandbox.mailworld.scenario.loader import load_world
from emailcheck.sandbox.mailworld.scenario.world import Operator, World
from emailcheck.sandbox.mailworld.smtp.conversation import NextStep
from emailcheck.sandbox.mailworld.smtp.mail_hosts import MailHosts
from emailcheck.sandbox.tests.dialogue import Clock, Dialogue, address_of


@pytest.mark.parametrize(
    ("operator", "recipient", "reply"),
    [
        ("northbeam", "jane.porter@harborquill.com", "250 2.1.5 Ok"),
        ("northbeam", '"jane porter"@harborquill.com', "250 2.1.5 Ok"),
        ("northbeam", "flaky@lanternoak.org", "451 4.3.0 <flaky@lanternoak.org>: Temporary lookup failure"),
        (
            "northbeam",
            "gone@brandnewname.com",
            "550 5.1.1 <gone@brandnewname.com>: Recipient address rejected: User unknown in virtual mailbox table",
        ),
        ("northbeam", "anna@gmail.com", "554 5.7.1 <anna@gmail.com>: Relay access denied"),
        ("northbeam", "anyone@movedaway.com", "554 5.7.1 <anyone@movedaway.com>: Relay access denied"),
        ("oldpost", "gone.stone@mapletide.net", "550 No such user here"),
        ("catchall", "kx9q7zz41w@velvetcircuit.com", "250 2.1.5 Ok"),
        (
            "catchall",
            "full.reed@velvetcircuit.com",
            "552 5.2.2 <full.reed@velvetcircuit.com>: Recipient address rejected: Mailbox full, user is over quota",
        ),
        ("undecided", "ruth.adler@sundialpress.org", "250 2.1.5 Ok"),
        (
            "undecided",
            "9f3ac1e07b@sundialpress.org",
            "451 4.3.0 <9f3ac1e07b@sundialpress.org>: Temporary lookup failure",
        ),
        (
            "recipient_wall",
            "felix.marsh@doormansuites.com",
            "554 5.7.1 Service unavailable; Client host blocked using a local block list",
        ),
        (
            "rate_limiter",
            "leo.park@turnstile-tickets.com",
            "451 4.7.1 <leo.park@turnstile-tickets.com>: "
            "Too many recipients from your address in this period, try again later",
        ),
        ("mumble", "tess.oak@mumblecore.org", "25O yes maybe"),
        (
            "exchange",
            "gone.whitfield@willowbank-legal.co.uk",
            "550 5.4.1 Recipient address rejected: Access denied. "
            "[tenant.mail.protection.outlook.com 2025-01-01T00:00:00.000Z]",
        ),
        (
            "yahoo",
            "gone@yahoo.com",
            "554 delivery error: dd This user doesn't have a yahoo.com account (gone@yahoo.com) [0] - "
            "mta5.am0.yahoodns.net",
        ),
    ],
)
def test_replies_to_a_recipient(scenario: World, hosts: MailHosts, operator: str, recipient: str, reply: str) -> None:
    assert Dialogue(hosts, address_of(scenario, operator)).recipient(recipient) == [reply]


def test_gmail_says_no_over_four_lines(scenario: World, hosts: MailHosts) -> None:
    lines = Dialogue(hosts, address_of(scenario, "gmail")).recipient("gone.keller@gmail.com")
    assert [line[:10] for line in lines] == ["550-5.1.1 ", "550-5.1.1 ", "550-5.1.1 ", "550 5.1.1 "]
    assert lines[0] == "550-5.1.1 The email account that you tried to reach does not exist. Please try"


def test_a_pipelined_flush_is_answered_in_order_and_at_once(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "northbeam"))
    dialogue.say("EHLO client.example")
    recipients = [f"RCPT TO:<{name}@harborquill.com>" for name in ("anna", "gone", "full", "9f3ac1e07b")]
    replies = dialogue.say("MAIL FROM:<>", *recipients, "RSET")
    assert [reply[:9] for reply in replies] == [
        "250 2.1.0",
        "250 2.1.5",
        "550 5.1.1",
        "552 5.2.2",
        "550 5.1.1",
        "250 2.0.0",
    ]
    assert dialogue.counters.largest_flush == 6
    assert dialogue.counters.commands == {"EHLO": 1, "MAIL": 1, "RCPT": 4, "RSET": 1}


def test_a_command_may_arrive_in_pieces(scenario: World, hosts: MailHosts) -> None:
    conversation = Dialogue(hosts, address_of(scenario, "northbeam")).conversation
    assert conversation.receive(b"NO").data == b""
    assert conversation.receive(b"OP\r\nQU").data == b"250 2.0.0 Ok\r\n"
    assert conversation.receive(b"IT\r\n").data == b"221 2.0.0 Bye\r\n"


@pytest.mark.parametrize(
    ("operator", "extensions"),
    [
        ("gmail", ["PIPELINING", "STARTTLS", "SMTPUTF8", "8BITMIME", "ENHANCEDSTATUSCODES", "SIZE 52428800"]),
        ("oldpost", ["PIPELINING", "8BITMIME", "SIZE 52428800"]),
        ("step_by_step", ["8BITMIME", "SIZE 52428800"]),
    ],
)
def test_what_a_host_offers(scenario: World, hosts: MailHosts, operator: str, extensions: list[str]) -> None:
    lines = Dialogue(hosts, address_of(scenario, operator)).say("EHLO client.example")
    assert [line[4:] for line in lines[1:]] == extensions
    assert [line[3] for line in lines] == ["-"] * len(extensions) + [" "]


@pytest.mark.parametrize(
    ("operator", "greeting", "then"),
    [
        ("northbeam", ["220 mx1.northbeam-mail.net ESMTP"], NextStep.KEEP),
        (
            "wall",
            ["554 5.7.1 mx.brickwall-mail.com Your address is listed on our block list; see postmaster pages"],
            NextStep.CLOSE,
        ),
        (
            "busy_signal",
            ["421 4.7.0 mx.busysignal-mail.com Too many connections from your address, try again later"],
            NextStep.CLOSE,
        ),
        ("babble", ["2x0 ?? \x01 hello"], NextStep.KEEP),
        ("greeting_dropper", [], NextStep.ABORT),
        ("mute", [], NextStep.KEEP),
        (
            "many_words",
            [
                "220-mx.longgreeting-mail.net ESMTP",
                "220-We do not authorise the use of this system to transport unsolicited,",
                "220-or bulk e-mail.",
                "220 Ready when you are",
            ],
            NextStep.KEEP,
        ),
    ],
)
def test_greetings(scenario: World, hosts: MailHosts, operator: str, greeting: list[str], then: NextStep) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, operator))
    assert (dialogue.greeting, dialogue.then) == (greeting, then)


def test_a_flood_never_comes_to_its_last_line(scenario: World, hosts: MailHosts) -> None:
    greeting = Dialogue(hosts, address_of(scenario, "flood")).greeting
    assert len(greeting) == 50_000
    assert {line[:4] for line in greeting} == {"220-"}


def test_a_mute_host_answers_nothing_at_all(scenario: World, hosts: MailHosts) -> None:
    assert Dialogue(hosts, address_of(scenario, "mute")).say("EHLO client.example", "QUIT") == []


def test_the_sender_may_be_refused(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "sender_wall"))
    replies = dialogue.say("EHLO client.example", "MAIL FROM:<>", "RCPT TO:<iris.dane@gatehouse-media.com>")
    assert replies[-2:] == [
        "550 5.7.1 Mail from your network is refused by local policy",
        "503 5.5.1 Error: need MAIL command",
    ]


def test_the_connection_is_dropped_at_the_first_recipient(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "dropper"))
    assert dialogue.recipient("sam.birch@butterfingers.net") == []
    assert dialogue.then is NextStep.ABORT


@pytest.mark.parametrize("waiting", [False, True])
def test_pipelining_where_it_is_not_offered_ends_the_session(scenario: World, hosts: MailHosts, waiting: bool) -> None:
    conversation = Dialogue(hosts, address_of(scenario, "step_by_step")).conversation
    flush = {False: b"EHLO a\r\nMAIL FROM:<>\r\n", True: b"MAIL FROM:<>\r\n"}[waiting]
    turn = conversation.receive(flush, waiting=waiting)
    assert (turn.data, turn.then) == (b"554 SMTP synchronization error\r\n", NextStep.CLOSE)


def test_one_recipient_per_session(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "one_by_one"))
    assert dialogue.recipient("ella.frost@singlefile.net") == ["250 2.1.5 Ok"]
    assert dialogue.say("RCPT TO:<gone.frost@singlefile.net>") == [
        "421 4.7.0 mx.singlefile-mail.net Too many recipients in this session, closing transmission channel"
    ]
    assert dialogue.then is NextStep.CLOSE


def test_three_recipients_per_transaction(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "small_envelopes"))
    again = "RCPT TO:<jack@smallenvelope.net>"
    dialogue.recipient("jack@smallenvelope.net")
    replies = dialogue.say(again, again, again, "RSET", "MAIL FROM:<>", again)
    assert [reply[:9] for reply in replies] == [
        "250 2.1.5",
        "250 2.1.5",
        "452 4.5.3",
        "250 2.0.0",
        "250 2.1.0",
        "250 2.1.5",
    ]


def test_five_unknown_recipients_and_no_more(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "short_temper"))
    unknown = [f"RCPT TO:<gone.{name}@shorttemper.net>" for name in ("a", "b", "c", "d", "e", "f", "g")]
    replies = dialogue.say("EHLO client.example", "MAIL FROM:<>", *unknown)[-6:]
    assert [reply[:3] for reply in replies] == ["550", "550", "550", "550", "550", "421"]
    assert dialogue.then is NextStep.CLOSE


def test_a_third_session_is_turned_away_until_one_ends(scenario: World, hosts: MailHosts) -> None:
    address = address_of(scenario, "two_lines")
    sessions = [Dialogue(hosts, address) for _ in range(3)]
    assert [session.greeting[0][:3] for session in sessions] == ["220", "220", "421"]
    assert (sessions[0].counters.open, sessions[0].counters.peak) == (3, 3)
    sessions[2].end()
    assert Dialogue(hosts, address).greeting[0][:3] == "421"
    sessions[0].end()
    assert Dialogue(hosts, address).greeting[0][:3] == "220"


def test_greylisting_knows_a_triplet_again(scenario: World, hosts: MailHosts, clock: Clock) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "greylist"))
    recipient = "RCPT TO:<Ida.Holm@patientpine.org>"
    refusal = "450 4.2.0 <{}@patientpine.org>: Recipient address rejected: Greylisted, please try again in {} seconds"
    assert dialogue.recipient("ida.holm@patientpine.org") == [refusal.format("ida.holm", 31)]
    clock.now += 29.5
    assert dialogue.say(recipient) == [refusal.format("Ida.Holm", 1)]
    clock.now += 0.5
    assert dialogue.say(recipient) == ["250 2.1.5 Ok"]
    other_sender = dialogue.say("RSET", "MAIL FROM:<probe@client.example>", recipient)
    assert other_sender[-1] == refusal.format("Ida.Holm", 31)
    hosts.greylist.forget()
    assert dialogue.say("RSET", "MAIL FROM:<>", recipient)[-1] == refusal.format("Ida.Holm", 31)


def test_greylisted_unknown_mailboxes_are_refused_in_the_end(scenario: World, hosts: MailHosts, clock: Clock) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "greylist_exim"))
    assert dialogue.recipient("gone@langsam-und-sicher.de") == [
        "451 Temporary local problem - greylisted, please retry in 31 seconds"
    ]
    clock.now += 30
    assert dialogue.say("RCPT TO:<gone@langsam-und-sicher.de>") == ["550 No such user here"]


@pytest.mark.parametrize(
    ("operator", "address", "replies"),
    [
        ("northbeam", "jürgen@harborquill.com", ["250 2.1.0 Ok", "250 2.1.5 Ok"]),
        ("northbeam", "leser@bücherwurm-versand.de", ["250 2.1.0 Ok", "250 2.1.5 Ok"]),
        (
            "oldpost",
            "jürgen@mapletide.net",
            ["555 5.5.4 Unsupported option: SMTPUTF8", "503 5.5.1 Error: need MAIL command"],
        ),
    ],
)
def test_smtputf8(scenario: World, hosts: MailHosts, operator: str, address: str, replies: list[str]) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, operator))
    dialogue.say("EHLO client.example")
    assert dialogue.say("MAIL FROM:<> BODY=8BITMIME SMTPUTF8", f"RCPT TO:<{address}>") == replies


def test_a_non_ascii_recipient_needs_smtputf8_announced(scenario: World, hosts: MailHosts) -> None:
    reply = Dialogue(hosts, address_of(scenario, "northbeam")).recipient("jürgen@harborquill.com")
    assert reply == ["553 5.6.7 <jürgen@harborquill.com>: Non-ASCII addresses need SMTPUTF8"]


def test_tls_comes_first_where_it_is_required(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "tls_only"))
    assert dialogue.say("EHLO client.example", "MAIL FROM:<>")[-1] == ("530 5.7.0 Must issue a STARTTLS command first")
    assert dialogue.say("STARTTLS", "MAIL FROM:<injected@client.example>") == ["220 2.0.0 Ready to start TLS"]
    assert dialogue.then is NextStep.START_TLS
    dialogue.conversation.secured()
    assert "STARTTLS" not in "".join(dialogue.say("EHLO client.example"))
    assert dialogue.say("STARTTLS") == ["502 5.5.1 Error: STARTTLS not available"]
    assert dialogue.recipient("paul.vance@sealedletter.org") == ["250 2.1.5 Ok"]


@pytest.mark.parametrize(
    ("command", "reply"),
    [
        ("RCPT TO:<anna@harborquill.com>", "503 5.5.1 Error: need MAIL command"),
        ("MAIL FROM anna", "501 5.5.4 Syntax: MAIL FROM:<address>"),
        ("STARTLE", "502 5.5.1 Error: STARTTLS not available"),
        ("DATA", "554 5.5.1 This simulated host takes no messages"),
        ("VRFY anna", "252 2.0.0 Cannot verify, but try to deliver"),
        ("EXPN staff", "502 5.5.1 Not here"),
        ("HELO client.example", "250 at your service"),
        ("XYZZY", "500 5.5.2 Error: command not recognised"),
        ("", "500 5.5.2 Error: command not recognised"),
    ],
)
def test_other_commands(scenario: World, hosts: MailHosts, command: str, reply: str) -> None:
    assert Dialogue(hosts, address_of(scenario, "oldpost")).say(command) == [reply]


def test_a_second_mail_and_a_bad_recipient_are_refused(scenario: World, hosts: MailHosts) -> None:
    dialogue = Dialogue(hosts, address_of(scenario, "oldpost"))
    assert dialogue.say("MAIL FROM:<>", "MAIL FROM:<>", "RCPT TO:anna") == [
        "250 OK",
        "503 5.5.1 Error: nested MAIL command",
        "501 5.1.3 Bad recipient address syntax",
    ]


def test_an_endless_line_ends_the_session(scenario: World, hosts: MailHosts) -> None:
    turn = Dialogue(hosts, address_of(scenario, "oldpost")).conversation.receive(b"x" * 2049)
    assert (turn.data, turn.then) == (b"500 5.5.2 Line too long\r\n", NextStep.CLOSE)


def test_slow_hosts_take_their_time(scenario: World, hosts: MailHosts) -> None:
    assert Dialogue(hosts, address_of(scenario, "slow_banner")).conversation.greet().delay == 2.0
    conversation = Dialogue(hosts, address_of(scenario, "slow_replies")).conversation
    assert conversation.receive(b"EHLO a\r\nMAIL FROM:<>\r\n").delay == 0.8


_CODES = {
    "mailbox_exists": {"250", "450"},
    "accepts_all": {"250"},
    "disposable_domain": {"250"},
    "mailbox_not_found": {"550", "554"},
    "mailbox_disabled": {"550", "554"},
    "mailbox_full": {"552", "452"},
    "smtputf8_required": {"555"},
    "greylisted": {"450", "451"},
    "temporary": {"451"},
    "blocked": {"550", "554"},
    "rate_limited": {"421", "451"},
    "protocol_error": {"2x0", "25O", "220-"},
    "timeout": {""},
    "connect_failed": {""},
}
_WORLD = load_world()
_ASKED = [
    (f"{local}@{domain.title}", operator)
    for domain in _WORLD.domains.values()
    for local in domain.examples
    if (operator := _WORLD.mail_domain(domain).operator) is not None and operator.reachable
]


@pytest.mark.parametrize(("address", "operator"), _ASKED, ids=[address for address, _ in _ASKED])
def test_hosts_answer_as_the_page_promises(hosts: MailHosts, address: str, operator: Operator) -> None:
    dialogue = Dialogue(hosts, operator.hosts[-1].addresses[0])
    assert dialogue.outcome(address) in _CODES[expect_verdict(_WORLD, address).reason]
