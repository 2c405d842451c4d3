"""Results of an account, by id."""

from emailcheck.common.errors import require_found
from validation.access.readers import Reader
from validation.results.models import Result


def load_result(reader: Reader, result_id: int) -> Result:
    """The result with that id. Raises `NotFound` for unknown, foreign and hidden ones alike."""
    return require_found(Result.objects.visible_to(reader).filter(pk=result_id).first(), "Result not found")
