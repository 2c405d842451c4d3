"""The part of a verdict that all addresses of a domain with the same answer share."""

from dataclasses import dataclass

from validation.engine.probes.probe import Probe
from validation.engine.vocabulary import Category, Check, Flag, Reason


@dataclass(slots=True)
class SharedVerdict:
    """What all addresses of one domain that got the same answer share.

    `confidence` is None where the confidence depends on the address; `checks` are those of an address without any
    peculiarity. `opening` and `closing` are the transcript around the
    address's own line, which `names_recipient` says to be there.
    """

    probe: Probe | None
    category: Category
    reason: Reason
    confidence: float | None
    is_catch_all: bool | None
    domain_valid: bool | None
    smtp_valid: bool | None
    sentence: str
    suggestion: str | None
    flags: tuple[Flag, ...]
    retry_after: float | None
    checks: tuple[Check, ...]
    opening: tuple[str, ...]
    names_recipient: bool
    closing: tuple[str, ...]
