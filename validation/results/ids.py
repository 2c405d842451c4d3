"""The ids of results in the API, and the result of one.

`res_…`; numbers for keys of the first edition of the contract, until that ends.
"""

from collections.abc import Callable

from emailcheck.common.api.deprecations import NUMBER_IDS, is_answered_as_before, note_use
from emailcheck.common.errors import require_found
from emailcheck.common.opaque_ids import decode_id, encode_id
from validation.access.readers import Reader
from validation.results.models import Result

KIND = "res"
_LARGEST = 2**63 - 1
IdForm = Callable[[int | None], int | str]
"""Writes the id of a result by its number; there is none where nothing is kept."""


def write_result_id(number: int | None) -> str:
    """The id of a result by its number, empty where nothing is kept."""
    return encode_id(KIND, number) if number else ""


def choose_id_form() -> IdForm:
    """How the call that is being answered has ids. Choose it before a stream begins, which outlives the call."""
    if not is_answered_as_before(NUMBER_IDS):
        return write_result_id
    note_use(NUMBER_IDS)
    return lambda number: number or 0


def find_result_number(result_id: str) -> int | None:
    """The number of the result that an id may name, in either form; None for what is no id."""
    if not (result_id.isascii() and result_id.isdecimal()):
        return decode_id(KIND, result_id)
    if NUMBER_IDS.is_over or int(result_id[:20]) > _LARGEST:
        return None
    note_use(NUMBER_IDS)
    return int(result_id)


def load_result(reader: Reader, result_id: str) -> Result:
    """The result with that id. Raises `NotFound` for unknown, foreign and hidden ones alike."""
    number = find_result_number(result_id)
    found = None if number is None else Result.objects.visible_to(reader).filter(pk=number).first()
    return require_found(found, "Result not found")
