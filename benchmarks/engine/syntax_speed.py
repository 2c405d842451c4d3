"""Syntax alone: how many plain addresses a second one core reads, and whether email-validator agrees on all kinds.

The measure of correctness is email-validator as strict as it comes, quoted local parts and SMTPUTF8 allowed; `.example`
and top-level domains of one letter, which the root does not have, are refused besides.
"""

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from email_validator import EmailNotValidError, validate_email

from benchmarks.engine import words
from validation.engine.syntax import AddressSyntaxError, parse

_MARKS = "@.-_+\"'() <>,;:[]\\!#$%&*/=?^`{|}~é東\u200b\t\x00"


@dataclass(frozen=True, slots=True)
class SyntaxSpeed:
    """Addresses a second of one core, ours and email-validator's, and on how many of how many texts both agree."""

    rate: float
    measure_rate: float
    agreed: int
    compared: int
    differing: tuple[str, ...]


def measure(seed: int, *, plain: int, compared: int) -> SyntaxSpeed:
    """Read `plain` addresses as lists have them, and hold `compared` texts of all kinds against email-validator."""
    rng = random.Random(seed)
    addresses = [f"{local}@{domain}" for local, domain in islice(_plain(rng), plain)]
    started = time.process_time()
    for address in addresses:
        parse(address)
    rate = plain / (time.process_time() - started)
    started = time.process_time()
    for address in addresses[:2_000]:
        validate_email(address, check_deliverability=False)
    measure_rate = min(plain, 2_000) / (time.process_time() - started)
    texts = list(islice(_mixed(rng), compared))
    differing = [text for text in texts if accepts(text) != measure_accepts(text)]
    return SyntaxSpeed(rate, measure_rate, compared - len(differing), compared, tuple(differing[:5]))


def accepts(text: str) -> bool:
    """Whether the engine takes the text for an address."""
    try:
        parse(text)
    except AddressSyntaxError:
        return False
    return True


def measure_accepts(text: str) -> bool:
    """Whether email-validator does."""
    top = text.rpartition(".")[2].lower()
    if top == "example" or (len(top) == 1 and "." in text):
        return False
    try:
        validate_email(text, check_deliverability=False, allow_quoted_local=True, allow_smtputf8=True, strict=True)
    except EmailNotValidError:
        return False
    return True


def _plain(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Addresses as lists have them: many people, fewer domains."""
    domains = list(islice(words.domain_names(rng), 5_000))
    boxes = list(islice(words.mailboxes(rng), 20_000))
    while True:
        yield rng.choice(boxes), rng.choice(domains)


def _mixed(rng: random.Random) -> Iterator[str]:
    """Plain, international, quoted, bad, and addresses with a slip in them."""
    bad, plain = words.bad_addresses(rng), _plain(rng)
    while True:
        local, domain = next(plain)
        yield f"{local}@{domain}"
        yield next(bad)
        yield f"{words.foreign_mailbox(rng)}@{words.foreign_domain(rng)}"
        yield f'"{local}{rng.choice(_MARKS)}{rng.choice(_MARKS)}"@{domain}'
        text = f"{local}@{domain}"
        place = rng.randrange(len(text) + 1)
        yield text[:place] + rng.choice(_MARKS) + text[place + rng.randrange(2) :]
