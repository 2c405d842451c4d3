"""Results of an account, by id."""

from accounts.users.models import User
from emailcheck.common.errors import require_found
from validation.results.models import Result


def load_result(user: User, result_id: int) -> Result:
    """The result with that id. Raises `NotFound` for unknown ids and other accounts' ids alike."""
    return require_found(Result.objects.for_user(user).filter(pk=result_id).first(), "Result not found")
