"""What pages and programs of the last release expect of the API: their calls, what these need, what they answer."""

import json
from collections.abc import Iterator
from typing import Any

from emailcheck.contract.description import load_internal

Call = dict[str, str]
"""`needs` and `answers`: names of fields by blanks, those within others behind a dot."""


def describe_calls() -> dict[str, Call]:
    """The calls of this version by method and path, from its own description."""
    description = json.loads(load_internal()[0])
    reader = _Shapes(description["components"]["schemas"])
    return {
        f"{method.upper()} {path}": {"needs": reader.list_needs(call), "answers": reader.list_answers(call)}
        for path, calls in sorted(description["paths"].items())
        for method, call in sorted(calls.items())
        if isinstance(call, dict) and "responses" in call
    }


def find_broken_calls(released: dict[str, Call], now: dict[str, Call]) -> list[str]:
    """What a page of the release would miss, or not know to send: one line each."""
    found = []
    for name, was in released.items():
        if name not in now:
            found.append(f"{name} is gone")
            continue
        needs, answers = ({field: set(call[field].split()) for field in call} for call in (was, now[name]))
        found += [f"{name} needs {field}" for field in sorted(answers["needs"] - needs["needs"])]
        found += [f"{name} answers no {field}" for field in sorted(needs["answers"] - answers["answers"])]
    return found


class _Shapes:
    """Reads the fields out of schemas."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self._schemas = schemas

    def list_needs(self, call: dict[str, Any]) -> str:
        """What has to be sent with a call."""
        body = call.get("requestBody", {}).get("content", {})
        sent = {name for kind in body.values() for name in self._names(kind.get("schema", {}), only_required=True)}
        asked = {one["name"] for one in call.get("parameters", ()) if one.get("required") and one["in"] == "query"}
        return " ".join(sorted(sent | asked))

    def list_answers(self, call: dict[str, Any]) -> str:
        """What is answered when all goes well."""
        good = (answer for status, answer in call["responses"].items() if status.startswith("2"))
        kinds = (kind for answer in good for kind in answer.get("content", {}).values())
        return " ".join(sorted({name for kind in kinds for name in self._names(kind.get("schema", {}))}))

    def _names(
        self, schema: dict[str, Any], *, only_required: bool = False, within: tuple[str, ...] = ()
    ) -> Iterator[str]:
        """The fields of a schema; of one that holds itself once."""
        reference = schema.get("$ref", "").rpartition("/")[2]
        if reference:
            if reference in within:
                return
            schema, within = self._schemas[reference], (*within, reference)
        for part in [*schema.get("allOf", ()), *schema.get("oneOf", ()), *schema.get("anyOf", ())]:
            yield from self._names(part, only_required=only_required, within=within)
        if "items" in schema:
            yield from self._names(schema["items"], only_required=only_required, within=within)
        for name, field in schema.get("properties", {}).items():
            if not only_required or name in schema.get("required", ()):
                yield name
                inner = self._names(field, only_required=only_required, within=within)
                yield from (f"{name}.{one}" for one in inner)
