"""What programs of the last release expect of the contract: its calls, what they take, need and answer, with types.

    make release-schema         # at a release: writes tests/released_contract.json beside the rest

Within version 1 nothing goes, and nothing is newly needed (API-052).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from emailcheck.contract.description import build_contract, iterate_operations

PLACE = Path(__file__).with_suffix(".json")
Fields = dict[str, str]
Call = dict[str, Any]
"""`id`; `takes`: parameters and members of the body with their types; `needs`: those that must be sent; `answers`."""


def describe_contract(contract: dict[str, Any] | None = None) -> dict[str, Call]:
    """The calls of a contract by method and path; of this version where none is given."""
    document = build_contract() if contract is None else contract
    shapes = _Shapes(document["components"])
    return {
        f"{method.upper()} {path}": shapes.describe(operation)
        for path, method, operation in iterate_operations(document)
    }


def find_breaks(released: dict[str, Call], now: dict[str, Call]) -> list[str]:
    """What a program of the release would miss, or not know to send: one line each."""
    found = []
    for name, was in released.items():
        if name not in now:
            found.append(f"{name} is gone")
            continue
        call = now[name]
        if call["id"] != was["id"]:
            found.append(f"{name} is called {call['id']}")
        found += [f"{name} needs {field}" for field in sorted(set(call["needs"]) - set(was["needs"]))]
        for what in ("takes", "answers"):
            found += [f"{name} {what} {line}" for line in _compare_fields(was[what], call[what])]
    return found


def _compare_fields(was: Fields, now: Fields) -> Iterator[str]:
    for field, kind in sorted(was.items()):
        if field not in now:
            yield f"no {field}"
        elif now[field] != kind and "any" not in (now[field], kind):
            yield f"{field} as {now[field]}, not {kind}"


class _Shapes:
    """Reads the fields out of the shapes of a contract."""

    def __init__(self, components: dict[str, Any]) -> None:
        self._schemas = components["schemas"]
        self._parameters = components.get("parameters", {})

    def describe(self, operation: dict[str, Any]) -> Call:
        """One call."""
        parameters = [self._resolve_parameter(one) for one in operation.get("parameters", ())]
        takes = {one["name"]: self._name_type(one["schema"]) for one in parameters}
        needs = [one["name"] for one in parameters if one.get("required")]
        content = operation.get("requestBody", {}).get("content", {})
        kinds = ("application/json", "multipart/form-data")
        body: dict[str, Any] = next((content[kind]["schema"] for kind in kinds if kind in content), {})
        good = [answer for status, answer in operation["responses"].items() if status.startswith("2")]
        answers: Fields = {}
        for answer in good:
            media = answer.get("content", {}).get("application/json", {})
            answers |= self._flatten(media.get("schema", {}))
        return {
            "id": operation["operationId"],
            "takes": dict(sorted((takes | self._flatten(body)).items())),
            "needs": sorted([*needs, *self._list_required(body)]),
            "answers": dict(sorted(answers.items())),
        }

    def _resolve_parameter(self, parameter: dict[str, Any]) -> dict[str, Any]:
        if "$ref" not in parameter:
            return parameter
        found: dict[str, Any] = self._parameters[parameter["$ref"].rpartition("/")[2]]
        return found

    def _flatten(self, schema: dict[str, Any], within: tuple[str, ...] = ()) -> Fields:
        """The fields of a schema with their types, those of inner ones behind a dot; of one that holds itself once."""
        reference = schema.get("$ref", "").rpartition("/")[2]
        if reference:
            return {} if reference in within else self._flatten(self._schemas[reference], (*within, reference))
        found: Fields = {}
        for part in [*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())]:
            found |= self._flatten(part, within)
        if "items" in schema:
            found |= self._flatten(schema["items"], within)
        for name, field in schema.get("properties", {}).items():
            found[name] = self._name_type(field)
            found |= {f"{name}.{inner}": kind for inner, kind in self._flatten(field, within).items()}
        return found

    def _list_required(self, schema: dict[str, Any]) -> list[str]:
        schema = self._schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
        parts = [name for part in schema.get("allOf", ()) for name in self._list_required(part)]
        return [*parts, *schema.get("required", ())]

    def _name_type(self, schema: dict[str, Any]) -> str:
        """The type of a value in words, whether it may be null aside: a new null is told by the description."""
        if "$ref" in schema:
            return self._name_type(self._schemas[schema["$ref"].rpartition("/")[2]])
        parts = [*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())]
        if parts:
            return next((kind for part in parts if (kind := self._name_type(part)) not in ("any", "null")), "any")
        kinds = schema.get("type", "object" if "properties" in schema else "any")
        real = [kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null"]
        return " or ".join(real) or "any"


def read_release() -> dict[str, Call]:
    """The recorded contract of the last release."""
    found: dict[str, Call] = json.loads(PLACE.read_text(encoding="utf-8"))
    return found


def write_release() -> None:
    """Record this version, for the tests of the next."""
    PLACE.write_text(json.dumps(describe_contract(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
