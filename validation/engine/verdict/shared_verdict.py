"""The part of a verdict that all addresses of a domain with the same answer share."""

from dataclasses import dataclass

from validation.engine.probes.probe import Probe
from validation.engine.vocabulary import Category, Check, Flag, Reason


@dataclass(slots=True)
class SharedVerdict:
    """The part of a verdict shared by all addresses of a domain with the same answer.

    `confidence` is None where it depends on the address. `checks` are those of a plain address. `opening` and `closing`
    are the transcript around the address's own line, which exists where `names_recipient`.
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
