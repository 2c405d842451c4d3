"""A visitor tries the product: one address, all its checks, nothing to pay (PUB-017).

Neither the address nor the verdict is kept: both are gone when the call is answered. What the engine learns about the
domain, whether its servers accept every name, is kept for a day as after every check, without the address. The places
at mail operators are those of everybody, so that a try is as polite as any other check.
"""

from accounts.access import limits
from emailcheck.common.errors import BadInput
from validation.engine import EVERY_CHECK
from validation.results import storage
from validation.results.models import Result
from validation.single.services import NO_ADDRESS, ask_engine, cut_address

DEADLINE_S = 25.0
"""A visitor and a thread of the web server wait no longer; what is not known by then is unknown."""


def try_address(*, address: str) -> tuple[Result, int]:
    """The verdict on an address, as a result that is not stored, and how many tries the visitor has left.

    Raises `BadInput` (`INVALID_EMAIL`), which is no try, and `TooMany`.
    """
    address = cut_address(address.strip())
    if "@" not in address:
        raise BadInput(NO_ADDRESS, code="INVALID_EMAIL", field="email", value=address)
    remaining = limits.count_public_try()
    row = storage.build_row(ask_engine(address, EVERY_CHECK, deadline_s=DEADLINE_S))
    return Result(**row._asdict()), remaining
