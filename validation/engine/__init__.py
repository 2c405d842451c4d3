"""The verdict on an e-mail address, with its evidence. Pure asyncio: no framework, no settings, no globals.

This module exports the types of a verdict and is cheap to import. `validation.engine.verifier` makes verdicts.
"""

from validation.engine.config import EngineConfig
from validation.engine.egress.route_reports import RouteReport, RouteState
from validation.engine.repair import (
    MOST_ADDRESSES,
    ParsedReading,
    Reading,
    RepairKind,
    read_addresses,
    read_parsed_addresses,
)
from validation.engine.syntax import Address, AddressSyntaxError, parse
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
    Wait,
    WaitCause,
)
from validation.engine.words import has_at_sign

__all__ = [
    "EVERY_CHECK",
    "MOST_ADDRESSES",
    "Address",
    "AddressSyntaxError",
    "Category",
    "Check",
    "EngineConfig",
    "Flag",
    "FollowUp",
    "OptionalCheck",
    "Outcome",
    "ParsedReading",
    "Reading",
    "Reason",
    "RepairKind",
    "RouteReport",
    "RouteState",
    "Verdict",
    "Wait",
    "WaitCause",
    "cli",
    "egress",
    "has_at_sign",
    "jobs",
    "knowledge",
    "limits",
    "loop",
    "parse",
    "probes",
    "profiles",
    "read_addresses",
    "read_parsed_addresses",
    "repair",
    "syntax",
    "verdict",
    "verifier",
    "words",
]
