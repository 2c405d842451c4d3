"""The API reference as a reader sees it: laid out once in a process from the contract."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from emailcheck.contract.commands import build_command
from emailcheck.contract.description import BINARY, build_contract, iterate_operations, load_examples
from emailcheck.contract.groups import WITH_A_KEY, WITH_A_SIGN_IN, WITHOUT_A_KEY, CallGroup
from emailcheck.contract.marks import KEY as TAKES_KEYS
from emailcheck.contract.marks import SCOPE
from emailcheck.public.reference.fields import Field, Schema, Shapes, describe_field, shape_name

_BASE = "/api/v1"
_ERROR = "Error"


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """An answer: its statuses, as what it comes, and its fields."""

    statuses: str
    types: tuple[str, ...]
    note: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A call: what it takes, what it answers, and an example of both; `scope` is what its key must have."""

    id: str
    anchor: str
    title: str
    method: str
    path: str
    note: str
    scope: str
    parameters: tuple[Field, ...]
    body_type: str
    body: tuple[Field, ...]
    answers: tuple[CallAnswer, ...]
    refusals: tuple[str, ...]
    command: str
    sample: str


@dataclass(frozen=True, slots=True)
class Group:
    anchor: str
    title: str
    note: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """An object that fields of several calls have."""

    name: str
    note: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """Calls for programs, the titles of those that need a sign-in, and the objects that the former speak of."""

    groups: tuple[Group, ...]
    others: tuple[CallGroup, ...]
    shapes: tuple[Shape, ...]


@cache
def load_reference() -> Reference:
    """The whole reference."""
    contract, examples = build_contract(), load_examples()
    shapes = Shapes(contract["components"]["schemas"])
    operations = {one["operationId"]: (path, method, one) for path, method, one in iterate_operations(contract)}
    groups = tuple(
        Group(
            group.anchor,
            group.title,
            group.note,
            tuple(_build_call(shapes, contract, examples.get(name, {}), *operations[name]) for name in group.calls),
        )
        for group in (*WITH_A_KEY, *WITHOUT_A_KEY)
    )
    shapes.named[_ERROR] = None
    return Reference(groups, WITH_A_SIGN_IN, _build_shapes(shapes))


@cache
def list_tryable() -> tuple[dict[str, Any], ...]:
    """What the console has to know of each call that takes a key."""
    examples = load_examples()
    calls = (call for group in load_reference().groups for call in group.calls if call.scope)
    return tuple(_present_tryable(call, examples[call.id]) for call in calls)


def _present_tryable(call: Call, example: dict[str, Any]) -> dict[str, Any]:
    form = call.body if call.body_type == "multipart/form-data" else ()
    fields = [one for one in (*call.parameters, *form) if one.place != "header"]
    return {
        "id": call.id,
        "title": call.title,
        "method": call.method,
        "path": call.path,
        "fields": [
            {
                "name": one.name,
                "place": one.place or "form",
                "required": one.required,
                "values": one.kind.values,
                "file": one.kind.word == "file",
            }
            for one in fields
        ],
        "body": json.dumps(example["body"], indent=2) if "body" in example else None,
    }


def _build_call(
    shapes: Shapes, contract: Schema, example: dict[str, Any], path: str, method: str, operation: Schema
) -> Call:
    address = f"{_BASE}{path}"
    known = contract["components"]["parameters"]
    parameters = (
        known[one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in operation.get("parameters", ())
    )
    ((body_type, body),) = operation.get("requestBody", {"content": {"": {"schema": {}}}})["content"].items()
    return Call(
        id=operation["operationId"],
        anchor=operation["operationId"].replace("_", "-"),
        title=operation["summary"],
        method=method.upper(),
        path=address,
        note=describe_field(operation),
        scope=operation.get(SCOPE, ""),
        parameters=tuple(shapes.parameter(one) for one in parameters),
        body_type=body_type,
        body=tuple(sorted(shapes.fields(body["schema"]), key=lambda one: not one.required)),
        answers=_build_answers(shapes, operation["responses"]),
        refusals=tuple(status for status in operation["responses"] if status[0] in "45"),
        command=build_command(method.upper(), address, example, needs_key=operation.get(TAKES_KEYS, False)),
        sample=_load_sample(example.get("answer")),
    )


def _build_answers(shapes: Shapes, responses: dict[str, Schema]) -> tuple[CallAnswer, ...]:
    """What is answered when all is well; statuses with the same shape together."""
    found: dict[str, CallAnswer] = {}
    for status, response in responses.items():
        content = response.get("content", {response[BINARY]: {}} if BINARY in response else {})
        if status[0] != "2" or not content:
            continue
        schema = next(iter(content.values())).get("schema", {})
        key = json.dumps(schema)
        statuses = f"{found[key].statuses}, {status}" if key in found else status
        fields = shapes.fields(schema) if "$ref" in schema else ()
        note = describe_field(shapes.known[shape_name(schema)]) if "$ref" in schema else ""
        found[key] = CallAnswer(statuses, tuple(kind.partition(";")[0] for kind in content), note, fields)
    return tuple(found.values())


def _build_shapes(shapes: Shapes) -> tuple[Shape, ...]:
    """Those that fields lead to, and what the fields of these lead to."""
    found: dict[str, Shape] = {}
    while missing := [name for name in shapes.named if name not in found]:
        for name in missing:
            schema = shapes.known[name]
            found[name] = Shape(name, describe_field(schema), shapes.fields(schema))
    return tuple(found[name] for name in sorted(found))


def _load_sample(answer: Any) -> str:
    if answer is None or isinstance(answer, str):
        return answer or ""
    return json.dumps(answer, indent=2, ensure_ascii=False)
