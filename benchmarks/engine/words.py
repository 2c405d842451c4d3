"""Names of people, mailboxes and domains, drawn from a seeded source. None belongs to anybody."""

import random
from collections.abc import Iterator
from pathlib import Path

_SECTIONS = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split("[")[1:]
_WORDS = {title: body.split() for title, body in (section.split("]") for section in _SECTIONS)}
GIVEN, FAMILY, _FIRST, _SECOND = (_WORDS[title] for title in ("given", "family", "first", "second"))

_ENDINGS = ("com", "com", "com", "net", "org", "de", "fr", "it", "nl", "eu", "co.uk", "ch", "se", "info", "biz")
ROLES = ("info", "sales", "support", "contact", "billing", "hr", "admin", "marketing", "jobs", "office")
_FOREIGN_LABELS = ("bäckerei", "grünwald", "señorial", "crème", "łódź", "århus", "größe", "mañana", "žito", "über")
_FOREIGN_GIVEN = ("jürgen", "zoë", "françois", "søren", "łukasz", "iñaki", "jiří", "αλέξης", "андрей", "美咲")


def domain_names(rng: random.Random) -> Iterator[str]:
    """Names under public endings, each once, without end."""
    taken: set[str] = set()
    while True:
        label = rng.choice(_FIRST) + rng.choice(("", "", "-")) + rng.choice(_SECOND)
        if rng.random() < 0.6 or len(taken) > 5_000:
            label += str(rng.randrange(2, 10_000))
        name = f"{label}.{rng.choice(_ENDINGS)}"
        if name not in taken:
            taken.add(name)
            yield name


def foreign_domain(rng: random.Random) -> str:
    """An internationalised domain, in the letters of its readers."""
    return f"{rng.choice(_FOREIGN_LABELS)}-{rng.choice(_SECOND)}{rng.randrange(10, 9999)}.{rng.choice(('de', 'com'))}"


def mailboxes(rng: random.Random) -> Iterator[str]:
    """Local parts as people have them, each once, without end."""
    taken: set[str] = set()
    while True:
        given, family = rng.choice(GIVEN), rng.choice(FAMILY)
        form = rng.randrange(6)
        name = (
            f"{given}.{family}",
            f"{given}{family}",
            f"{given[0]}.{family}",
            f"{given}_{family}{rng.randrange(100)}",
            f"{given}{rng.randrange(1950, 2012)}",
            f"{family}.{given[0]}{rng.randrange(100)}",
        )[form]
        if name not in taken:
            taken.add(name)
            yield name


def foreign_mailbox(rng: random.Random) -> str:
    """A local part that needs SMTPUTF8 (RFC 6531)."""
    return f"{rng.choice(_FOREIGN_GIVEN)}.{rng.choice(FAMILY)}{rng.randrange(1000)}"


def bad_addresses(rng: random.Random) -> Iterator[str]:
    """Texts that no mail can be sent to, whatever the servers say."""
    domains = domain_names(rng)
    for local in mailboxes(rng):
        domain = next(domains)
        yield rng.choice(
            (
                f"{local}..{rng.randrange(99)}@{domain}",
                f".{local}@{domain}",
                f"{local}.@{domain}",
                f"{local}{domain}",
                f"{local}@@{domain}",
                f"{local} smith@{domain}",
                f"{local}@{domain}.",
                f"{local}@localhost",
                f"{local}@[192.0.2.{rng.randrange(1, 255)}]",
                f"{local}@-{domain}",
                f"{local}@{domain.replace('.', '..')}",
                f"{local}(home)@{domain}",
                f"{local.title()} <{local}@{domain}>",
                f"{local}@{local}.{rng.choice(('test', 'invalid', 'local', 'example', 'onion'))}",
                f"{'x' * 65}{local}@{domain}",
                f"{local}@{'y' * 64}.{domain}",
                f"@{domain}",
                f"{local}@",
            )
        )
