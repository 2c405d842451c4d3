"""A visitor's check as the API returns it."""

from validation.results.models import Result
from validation.results.presentation import Json, present_result_in_full
from validation.single.serializers import ACCOUNT_FIELDS


def present_try(result: Result, *, remaining: int) -> Json:
    """The result of a visitor's check without the fields of stored results. `remaining`: checks left."""
    full = present_result_in_full(result)
    return {name: value for name, value in full.items() if name not in ACCOUNT_FIELDS} | {"remaining": remaining}
