"""A visitor tries the product: one address, all its checks, nothing to pay (PUB-017).

Neither the address nor the verdict is kept: both are gone when the call is answered. What the engine learns about the
domain, whether its servers accept every name, is kept for a day as after every check, without the address. The places
at mail operators are those of everybody, so that a try is as polite as any other check.
"""

from accounts import limits
from emailcheck.common.errors import BadInput
from validation import results, services
from validation.engine import EVERY_CHECK
from validation.models import Result

DEADLINE_S = 25.0
"""A visitor and a thread of the web server wait no longer; what is not known by then is unknown."""


def check(*, address: str) -> tuple[Result, int]:
    """The verdict on an address, as a result that is not stored, and how many tries the visitor has left.

    Raises `BadInput` (`INVALID_EMAIL`), which is no try, and `TooMany`.
    """
    address = services.cut(address.strip())
    if "@" not in address:
        raise BadInput(services.NO_ADDRESS, code="INVALID_EMAIL", field="email", value=address)
    remaining = limits.count_try()
    row = results.from_verdict(services.ask(address, EVERY_CHECK, deadline_s=DEADLINE_S))
    return Result(**row._asdict()), remaining
