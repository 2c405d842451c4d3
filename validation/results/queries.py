"""Results of an account, by id."""

from accounts.organisations.models import Organisation
from emailcheck.common.errors import require_found
from validation.results.models import Result


def load_result(organisation: Organisation, result_id: int) -> Result:
    """The result with that id. Raises `NotFound` for unknown ids and other accounts' ids alike."""
    return require_found(Result.objects.for_org(organisation).filter(pk=result_id).first(), "Result not found")
