"""A program that was written for the last release goes on (API-052)."""

import copy
import re
from collections.abc import Callable
from typing import Any

import pytest

from emailcheck.contract.description import build_contract
from emailcheck.public.changelog.entries import ENTRIES
from tests.released_contract import describe_contract, find_breaks, read_release

# Breaks by the entry of the changelog that announced them; earlier keys are answered as before until their sunset.
ANNOUNCED = {r"(takes|answers) (\w+\.)?(id|result_id) as string, not integer": "opaque-ids"}


def find_unannounced(contract: dict[str, Any] | None = None) -> list[str]:
    found = find_breaks(read_release(), describe_contract(contract))
    return [line for line in found if not any(re.search(f" {known}$", line) for known in ANNOUNCED)]


@pytest.mark.spec("API-052")
def test_nothing_of_the_last_release_is_gone_or_newly_needed() -> None:
    assert len(read_release()) >= 28
    assert find_unannounced() == []
    assert set(ANNOUNCED.values()) <= {entry.anchor for entry in ENTRIES}


def _take_away_a_call(contract: Any) -> None:
    del contract["paths"]["/credits"]


def _rename_a_call(contract: Any) -> None:
    contract["paths"]["/credits"]["get"]["operationId"] = "balance"


def _take_away_a_member(contract: Any) -> None:
    del contract["components"]["schemas"]["Credits"]["properties"]["held"]


def _change_a_type(contract: Any) -> None:
    contract["components"]["schemas"]["Credits"]["properties"]["held"] = {"type": "string"}


def _need_a_parameter(contract: Any) -> None:
    contract["paths"]["/validate/batches"]["get"]["parameters"][0]["required"] = True


def _need_a_member(contract: Any) -> None:
    contract["components"]["schemas"]["BulkRequest"]["required"].append("max_credits")


def _take_away_a_parameter(contract: Any) -> None:
    del contract["paths"]["/validate/batches"]["get"]["parameters"][0]


@pytest.mark.spec("API-052")
@pytest.mark.parametrize(
    ("change", "found"),
    [
        (_take_away_a_call, "GET /credits is gone"),
        (_rename_a_call, "GET /credits is called balance"),
        (_take_away_a_member, "GET /credits answers no held"),
        (_change_a_type, "GET /credits answers held as string, not integer"),
        (_need_a_parameter, "GET /validate/batches needs active"),
        (_need_a_member, "POST /validate/bulk needs max_credits"),
        (_take_away_a_parameter, "GET /validate/batches takes no active"),
    ],
)
def test_what_would_break_a_program_is_found(change: Callable[[Any], None], found: str) -> None:
    contract = copy.deepcopy(build_contract())
    change(contract)
    assert find_unannounced(contract) == [found]


@pytest.mark.spec("API-052")
def test_what_is_added_breaks_nothing() -> None:
    contract = copy.deepcopy(build_contract())
    contract["paths"]["/new"] = copy.deepcopy(contract["paths"]["/credits"])
    contract["components"]["schemas"]["Credits"]["properties"]["new"] = {"type": "string"}
    contract["paths"]["/credits"]["get"]["parameters"] = [{"in": "query", "name": "new", "schema": {"type": "string"}}]
    assert find_unannounced(contract) == []
