"""Who makes a list or an endpoint."""

from accounts.access.models import ApiKey
from emailcheck.common import request_context


def find_maker(api_key: ApiKey | None = None) -> int | None:
    """The number of the person who calls, or of who made the key; None outside of a call."""
    if api_key is not None:
        return api_key.maker_id
    person = request_context.current_person()
    return person.user_id if person else None
