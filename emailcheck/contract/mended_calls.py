"""Of a refused call in the request log: what its code means, and the call that would be answered in its place.

The log keeps neither parameters nor texts of bodies, so a mended call has those of the examples of the contract. Where
the product cannot know what would be answered, there is none.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from accounts.keys.models import ApiRequest
from emailcheck.common.api.queries import find_meant
from emailcheck.common.text.nearest import find_nearest
from emailcheck.contract.commands import build_command
from emailcheck.contract.description import build_contract, iterate_operations, load_examples
from emailcheck.contract.marks import SCOPE, SPENDS
from emailcheck.public.documentation.error_catalogue import CATALOGUE, Entry

Json = dict[str, Any]
EXAMPLE_BODY = "The log keeps no addresses and texts: this sends the example of the reference."
EXAMPLE_FILE = "The log keeps no files: put one of yours in place of customers.csv."
OWN_VALUE = "The log keeps no values: put yours behind {name}."
OWN_PARAMETERS = "The log keeps no parameters: add those that you sent."
WAITS = "curl waits as many seconds as Retry-After says before it tries again."
SPENDING = "With a live key it uses credits."
_TRIES = 3
_BODY_CODES = frozenset({"VALIDATION_ERROR", "INVALID_EMAIL", "EMPTY_LIST", "NO_EMAILS"})
_BASE = re.compile(r"/api(?:/v1)?(?=/)")
_ID = re.compile(r"[A-Za-z0-9_-]+")
_SEGMENT = re.compile(r"\\{\w+\\}")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused call: what was called, with which scopes, and what the answer said. `scopes` is None for a key that is
    gone."""

    method: str
    path: str
    status: int
    code: str
    sentence: str = ""
    field: str = ""
    scopes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class MendedCall:
    """A command for a terminal, what to know before it is sent, and the scope that its key has to be given first."""

    command: str
    notes: tuple[str, ...]
    missing_scope: str | None = None


@dataclass(frozen=True, slots=True)
class _Operation:
    """A call of the contract, with the names of what it takes and their schemas, and its example."""

    method: str
    scope: str
    spends: bool
    parameters: Mapping[str, Json]
    members: Mapping[str, Json]
    sent: Json
    has_id: bool


def read_refusal(line: ApiRequest) -> Refusal:
    """What a line of the request log says of the refusal; without a sentence where the answer was none of ours."""
    answer = _read_answer(line.response_body) if line.status >= 400 else {}
    details = answer.get("details")
    return Refusal(
        line.method,
        line.path,
        line.status,
        line.error_code,
        sentence=str(answer.get("detail") or ""),
        field=str(details.get("field") or "") if isinstance(details, dict) else "",
        scopes=tuple(line.key.scopes) if line.key else None,
    )


def _read_answer(text: str) -> Json:
    """The object of a body; empty for one that is none, or was cut."""
    try:
        answer = json.loads(text)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}


def explain(refusal: Refusal) -> Entry | None:
    """The entry of the catalogue for its code and status."""
    same = (entry for entry in CATALOGUE if (entry.code, entry.status) == (refusal.code, refusal.status))
    return next(same, None)


def mend_call(refusal: Refusal) -> MendedCall | None:
    """The call that would be answered in place of a refused one; None where that cannot be known."""
    beginning = _BASE.match(refusal.path)
    methods = _find_methods(refusal.path[beginning.end() :]) if beginning else {}
    if refusal.code == "METHOD_NOT_ALLOWED":
        return _mend_method(refusal, methods)
    if refusal.code == "NOT_FOUND" and beginning and not methods:
        return _mend_path(refusal, beginning.group())
    operation = methods.get(refusal.method)
    if operation is None:
        return None
    if refusal.code in _BODY_CODES:
        return _mend_input(refusal, operation)
    if refusal.code == "PERMISSION_DENIED":
        return _mend_scope(refusal, operation)
    if refusal.code == "RATE_LIMIT_EXCEEDED":
        return _write_call(refusal.path, operation, retries=_TRIES)
    return None


def _mend_method(refusal: Refusal, methods: Mapping[str, _Operation]) -> MendedCall | None:
    """With the only method that the path has; a deletion is never offered."""
    offered = [operation for method, operation in methods.items() if method != "DELETE"]
    return _write_call(refusal.path, offered[0]) if len(offered) == 1 else None


def _mend_path(refusal: Refusal, beginning: str) -> MendedCall | None:
    """With the path that was probably meant, where that is one that takes the method; a deletion is never offered."""
    segments = refusal.path.removeprefix(beginning).strip("/").split("/")
    found: dict[str, _Operation] = {}
    for path, methods in _list_templates().items():
        meant = _find_path_meant(segments, path.strip("/").split("/"))
        if meant is not None and refusal.method in methods and refusal.method != "DELETE":
            found[meant] = methods[refusal.method]
    if len(found) != 1:
        return None
    ((path, operation),) = found.items()
    return _write_call(f"{beginning}/{path}", operation)


def _find_path_meant(segments: Sequence[str], known: Sequence[str]) -> str | None:
    """A known path that is meant by another: one whose beginning was left out, or a segment of which was mistyped."""
    missing = len(known) - len(segments)
    if missing > 0:
        return "/".join(known) if list(known[missing:]) == list(segments) and "{" not in "".join(known) else None
    if missing < 0:
        return None
    meant = []
    for segment, own in zip(segments, known, strict=True):
        is_id = own.startswith("{") and _ID.fullmatch(segment) is not None
        one = segment if is_id or segment == own else find_nearest(segment, [own])
        if one is None:
            return None
        meant.append(one)
    return "/".join(meant)


def _mend_scope(refusal: Refusal, operation: _Operation) -> MendedCall | None:
    if refusal.scopes is None or operation.scope in {"", *refusal.scopes}:
        return None
    return replace(_write_call(refusal.path, operation), missing_scope=operation.scope)


def _mend_input(refusal: Refusal, operation: _Operation) -> MendedCall | None:
    """With the name that was meant and a value that is taken; with neither where the call takes none at all."""
    if operation.sent or operation.members:
        return _mend_body(refusal, operation)
    if not operation.parameters:
        return _write_call(refusal.path, operation) if refusal.field else None
    name = _name_meant(refusal.field, operation.parameters)
    if name is None or (value := _sample_value(operation.parameters[name])) is None:
        return None
    return _write_call(refusal.path, operation, query={name: value})


def _mend_body(refusal: Refusal, operation: _Operation) -> MendedCall | None:
    """With the example; a member that was meant by an unknown name is put beside it. Of a call about one thing, it may
    be the thing that is refused."""
    if not refusal.field:
        return None if operation.has_id else _write_call(refusal.path, operation)
    name = _name_meant(refusal.field, operation.members)
    if name is None:
        return None
    kind = "form" if "form" in operation.sent else "body"
    sent, value = operation.sent.get(kind, {}), _sample_value(operation.members[name])
    if refusal.field != name and name not in sent and value is not None:
        return _write_call(refusal.path, replace(operation, sent={kind: sent | {name: value}}))
    return _write_call(refusal.path, operation)


def _name_meant(field: str, known: Mapping[str, Json]) -> str | None:
    """The name of a field that a call takes: itself, or the one that was probably meant."""
    return field if field in known else find_meant(field, list(known))


def _sample_value(parameter: Json) -> Any:
    """A value that is taken: that of the example, the default, the first of a set, the least, true; else None."""
    schema = parameter.get("schema", parameter)
    choices = schema.get("enum", ())
    for value in (parameter.get("example"), schema.get("default"), *choices, schema.get("minimum")):
        if value is not None:
            return value
    return True if "boolean" in schema.get("type", ()) else None


def _write_call(path: str, operation: _Operation, *, query: Json | None = None, retries: int = 0) -> MendedCall:
    example = operation.sent | ({"query": {name: _write_value(one) for name, one in query.items()}} if query else {})
    notes = {
        WAITS: retries > 0,
        EXAMPLE_BODY: "body" in example,
        EXAMPLE_FILE: "form" in example,
        OWN_PARAMETERS: bool(operation.parameters) and not query,
        OWN_VALUE.format(name=", ".join(query or ())): query is not None,
        SPENDING: operation.spends,
    }
    command = build_command(operation.method, path, example, needs_key=bool(operation.scope), retries=retries)
    return MendedCall(command, tuple(note for note, holds in notes.items() if holds))


def _write_value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _find_methods(path: str) -> Mapping[str, _Operation]:
    """The operations of the contract at a path, by method; a path with a fixed name before one with an id."""
    return next((methods for pattern, methods in _list_paths() if pattern.fullmatch(path)), {})


@cache
def _list_paths() -> list[tuple[re.Pattern[str], dict[str, _Operation]]]:
    """Each path of the contract. Ids are of letters, digits, `_` and `-`, so that a path may stand in a command."""
    found = _list_templates()
    paths = sorted(found, key=lambda one: one.count("{"))
    return [(re.compile(_SEGMENT.sub(_ID.pattern, re.escape(path))), found[path]) for path in paths]


@cache
def _list_templates() -> dict[str, dict[str, _Operation]]:
    """The operations by path, with the names of ids in braces, and method."""
    found: dict[str, dict[str, _Operation]] = {}
    for path, method, operation in iterate_operations(build_contract()):
        found.setdefault(path, {})[method.upper()] = _read_operation(method.upper(), path, operation)
    return found


def _read_operation(method: str, path: str, operation: Json) -> _Operation:
    example = load_examples().get(operation["operationId"], {})
    parameters = [_resolve(one) for one in operation.get("parameters", ())]
    contents = operation.get("requestBody", {}).get("content", {})
    shape = _resolve(next(iter(contents.values()))["schema"]) if contents else {}
    return _Operation(
        method,
        operation.get(SCOPE, ""),
        operation.get(SPENDS, False),
        {one["name"]: one | {"schema": _resolve(one["schema"])} for one in parameters if one["in"] == "query"},
        {name: _resolve(one) for name, one in _list_members(shape).items()},
        {name: example[name] for name in ("body", "form") if name in example},
        has_id="{" in path,
    )


def _list_members(shape: Json) -> Json:
    """The members of a shape, and of those on which it is built."""
    found: Json = {}
    for base in shape.get("allOf", ()):
        found |= _list_members(_resolve(base))
    found |= shape.get("properties", {})
    return found


def _resolve(part: Json) -> Json:
    """A part of the contract, or that to which it refers."""
    if "$ref" not in part:
        return part
    found: Json = build_contract()
    for name in part["$ref"].removeprefix("#/").split("/"):
        found = found[name]
    return found
