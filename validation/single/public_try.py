"""A visitor's check: one address, all checks, free (PUB-017).

Neither address nor verdict is stored. The engine remembers for a day whether the domain accepts every name, as after
every check, without the address. A visitor's check counts in the same limits at mail operators as every other.
"""

from accounts.access import limits
from emailcheck.common.errors import BadInput
from validation.engine import EVERY_CHECK
from validation.results import storage
from validation.results.models import Result
from validation.single.services import NO_ADDRESS, ask_engine, cut_address

DEADLINE_S = 25.0
"""Seconds that a visitor, and a thread of the web server, wait. Undecided checks are unknown then."""


def try_address(*, address: str) -> tuple[Result, int]:
    """The verdict on an address, as an unstored result, and the visitor's remaining checks.

    Raises `BadInput` (`INVALID_EMAIL`), which does not count as a check, and `TooMany`.
    """
    address = cut_address(address.strip())
    if "@" not in address:
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email", value=address)
    remaining = limits.count_public_try()
    row = storage.build_row(ask_engine(address, EVERY_CHECK, deadline_s=DEADLINE_S))
    return Result(**row._asdict()), remaining
