"""The API reference as a reader sees it: laid out once in a process from the description that `/api/schema` serves."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from emailcheck.common.api.schema import TAKES_KEYS, VERSIONED
from emailcheck.public.reference import groups as reference_groups
from emailcheck.public.reference.fields import Field, Schema, Shapes, describe_field, shape_name
from emailcheck.schema_api import load_description

EXAMPLES = Path(__file__).parent / "examples.json"
KEY = "$EMAILCHECK_KEY"
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
    """Calls that take a key, those that need a sign-in, and the objects that they speak of."""

    groups: tuple[Group, ...]
    others: tuple[Group, ...]
    shapes: tuple[Shape, ...]


@cache
def load_reference() -> Reference:
    """The whole reference."""
    description = json.loads(load_description()[0])
    examples = json.loads(EXAMPLES.read_text())
    shapes = Shapes(description["components"]["schemas"])
    operations = {one["operationId"]: (path, method, one) for path, method, one in _iterate_operations(description)}

    def group(arranged: reference_groups.CallGroup) -> Group:
        calls = (
            _build_call(shapes, title, examples.get(name, {}), *operations[name])
            for name, title in arranged.calls.items()
        )
        return Group(arranged.anchor, arranged.title, arranged.note, tuple(calls))

    groups = tuple(map(group, reference_groups.WITH_A_KEY))
    others = tuple(map(group, reference_groups.WITH_A_SIGN_IN))
    shapes.named[_ERROR] = None
    return Reference(groups, others, _build_shapes(shapes))


@cache
def list_tryable() -> tuple[dict[str, Any], ...]:
    """What the console has to know of each call that takes a key."""
    examples = json.loads(EXAMPLES.read_text())
    return tuple(_present_tryable(call, examples[call.id]) for group in load_reference().groups for call in group.calls)


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


def _iterate_operations(description: Schema) -> Iterable[tuple[str, str, Schema]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation


def _build_call(shapes: Shapes, title: str, example: dict[str, Any], path: str, method: str, operation: Schema) -> Call:
    address = path.replace("/api/", VERSIONED, 1)
    ((body_type, body),) = operation.get("requestBody", {"content": {"": {"schema": {}}}})["content"].items()
    return Call(
        id=operation["operationId"],
        anchor=operation["operationId"].replace("_", "-"),
        title=title,
        method=method,
        path=address,
        note=describe_field(operation),
        scope="read" if method == "GET" else "write",
        parameters=tuple(shapes.parameter(one) for one in operation.get("parameters", ())),
        body_type=body_type,
        body=tuple(sorted(shapes.fields(body["schema"]), key=lambda one: not one.required)),
        answers=_build_answers(shapes, operation["responses"]),
        refusals=tuple(status for status in operation["responses"] if status[0] in "45"),
        command=_build_command(method, address, example) if operation.get(TAKES_KEYS) else "",
        sample=_load_sample(example.get("answer")),
    )


def _build_answers(shapes: Shapes, responses: dict[str, Schema]) -> tuple[CallAnswer, ...]:
    """What is answered when all is well; statuses with the same shape together."""
    found: dict[str, CallAnswer] = {}
    for status, response in responses.items():
        content = response.get("content", {})
        if status[0] != "2" or not content:
            continue
        schema = next(iter(content.values()))["schema"]
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


def _build_command(method: str, path: str, example: dict[str, Any]) -> str:
    """The call as a curl command."""
    address = settings.SITE_URL + path.format(**example.get("path", {}))
    if query := example.get("query"):
        address = f'"{address}?{"&".join(f"{name}={value}" for name, value in query.items())}"'
    lines = [
        f"curl {'' if method in {'GET', 'POST'} else f'-X {method} '}{address}",
        f'-H "Authorization: Bearer {KEY}"',
    ]
    if "body" in example:
        lines += ['-H "Content-Type: application/json"', f"-d '{json.dumps(example['body'])}'"]
    elif method == "POST":
        lines += [f"-F {name}={value}" for name, value in example.get("form", {}).items()] or ["-X POST"]
    if "save" in example:
        lines.append(f"-o {example['save']}")
    return " \\\n  ".join(lines)


def _load_sample(answer: Any) -> str:
    if answer is None or isinstance(answer, str):
        return answer or ""
    return json.dumps(answer, indent=2, ensure_ascii=False)
