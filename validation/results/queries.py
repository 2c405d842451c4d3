"""Results of an account, by id."""

from emailcheck.common.errors import require_found
from validation.access.readers import Reader
from validation.results.ids import find_result_number
from validation.results.models import Result


def load_result(reader: Reader, result_id: str) -> Result:
    """The result with that id. Raises `NotFound` for unknown, foreign and hidden ones alike."""
    number = find_result_number(result_id)
    found = None if number is None else Result.objects.visible_to(reader).filter(pk=number).first()
    return require_found(found, "Result not found")
