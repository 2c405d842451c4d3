"""Calls made up from the description of the API, and whether the answers are as it says (schemathesis).

In one process, on real code and database; what a call changes is rolled back, so that each finds the same world.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests
import schemathesis
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.core.transport import Response
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from emailcheck.contract.description import load_contract, load_internal
from emailcheck.contract.marks import KEY

_BASE = "http://127.0.0.1"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)


@dataclass
class Found:
    """What a run met: how many answers of which status, and what was wrong, a line each."""

    statuses: Counter[int] = field(default_factory=Counter)
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def cases(self) -> int:
        return self.statuses.total()


@dataclass(frozen=True)
class Callers:
    """Who calls: the `Authorization` of the calls that take keys, of those of staff, and of the others."""

    key: Callable[[], str]
    staff: Callable[[], str]
    person: Callable[[], str]

    def of(self, path: str, takes_keys: bool) -> str:
        if takes_keys:
            return self.key()
        return self.staff() if "/admin" in path or "/monitoring" in path else self.person()


@dataclass(frozen=True)
class Caller:
    """Where a call goes, and with which credential."""

    base: str
    headers: dict[str, str]


def run(callers: Callers, *, cases: int, ids: dict[str, Any], contract: bool = False, first_seed: int = 1) -> Found:
    """Make about so many calls, as many of each kind: of the whole description, or of the contract. `ids` are path
    parameters of things that are there."""
    text = (load_contract() if contract else load_internal())[0]
    schema = schemathesis.openapi.from_dict(json.loads(text))
    operations = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    found, each = Found(), max(1, round(cases / len(operations) / len(MODES)))
    for number, operation in enumerate(operations):
        takes_keys = contract or bool(operation.definition.raw.get(KEY))
        for mode in MODES:
            headers = {"Authorization": f"Bearer {callers.of(operation.path, takes_keys)}"}
            caller = Caller(f"{_BASE}/api/v1" if contract else _BASE, headers)
            _try(operation, mode, caller, each, ids, found, first_seed + number)
    return found


def _try(
    operation: Any, mode: GenerationMode, caller: Caller, count: int, ids: dict[str, Any], found: Found,
    first_seed: int,
) -> None:  # fmt: skip
    known = {name: value for name, value in ids.items() if f"{{{name}}}" in operation.path}
    strategy = operation.as_strategy(mode, path_parameters=known or None)

    @seed(first_seed)
    @settings(max_examples=count, deadline=None, database=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(case=strategy)
    def call(case: Any) -> None:
        with transaction.atomic():
            answer = _answer(case, caller)
            transaction.set_rollback(True)
        found.statuses[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except FailureGroup as error:
            what = f"{operation.method.upper()} {operation.path} {answer.status_code}"
            found.wrong.setdefault(what, "; ".join(map(str, error.exceptions)))

    try:
        call()
    except Unsatisfiable:
        return  # nothing of this kind can be made: a call without parameters has no wrong ones


def _answer(case: Any, caller: Caller) -> Response:
    """The answer of the application in this process, as one that came over the wire."""
    sent = requests.Request(**case.as_transport_kwargs(base_url=caller.base, headers=caller.headers)).prepare()
    told = {name: str(value) for name, value in sent.headers.items() if name.lower() != "content-length"}
    kind = told.pop("Content-Type", "")
    body: Any = sent.body or b""
    client = Client(raise_request_exception=False)
    got = client.generic(sent.method or "", sent.path_url, body, kind, headers=told)
    return Response(
        status_code=got.status_code,
        headers={name.lower(): [value] for name, value in got.items()},
        content=got.getvalue(),
        request=sent,
        elapsed=0.0,
        verify=False,
        encoding="utf-8",
    )


def budget() -> int:
    """How many calls a run makes: few in `make test`, `FUZZ_CASES` in `make soak`."""
    return int(os.environ.get("FUZZ_CASES", "400"))
