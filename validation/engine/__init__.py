"""The verdict on an e-mail address, with its evidence. Pure asyncio: no framework, no settings, no globals."""

from validation.engine.config import EngineConfig
from validation.engine.gate import Places
from validation.engine.knowledge import Knowledge
from validation.engine.probing import DomainOutcome
from validation.engine.routelog import RouteNews, RouteState
from validation.engine.syntax import Address, AddressSyntaxError, parse
from validation.engine.verifier import Verifier
from validation.engine.vocabulary import (
    EVERY_CHECK,
    Category,
    Check,
    Flag,
    FollowUp,
    OptionalCheck,
    Outcome,
    Reason,
    Verdict,
)

__all__ = [
    "EVERY_CHECK",
    "Address",
    "AddressSyntaxError",
    "Category",
    "Check",
    "DomainOutcome",
    "EngineConfig",
    "Flag",
    "FollowUp",
    "Knowledge",
    "OptionalCheck",
    "Outcome",
    "Places",
    "Reason",
    "RouteNews",
    "RouteState",
    "Verdict",
    "Verifier",
    "parse",
]
