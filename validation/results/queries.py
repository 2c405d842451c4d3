"""Results of an account, by id."""

from accounts.users.models import User
from emailcheck.common.errors import NotFound
from validation.results.models import Result


def load_result(user: User, result_id: int) -> Result:
    """The result with that id. Raises `NotFound` for unknown ids and other accounts' ids alike."""
    result = Result.objects.for_user(user).filter(pk=result_id).first()
    if result is None:
        raise NotFound("Result not found")
    return result
