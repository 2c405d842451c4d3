"""The parts of a description that several operations refer to: shapes, parameters, examples, each written out once."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from validation.batches.serializers import CountsSerializer

Json = dict[str, Any]
_SHAPE = "#/components/schemas/"
# What the generator writes below the text of a field with a fixed set of values, which the set says as well.
_VALUES_AS_TEXT = re.compile(r"\n*^\* `.*` - .*$", re.MULTILINE)
_WORTH_SHARING = 200


def collect_shapes(document: Json, known: Json) -> Json:
    """The shapes that a document refers to, and those that these refer to; what one repeats of another is left to a
    reference."""
    found: Json = {"Counts": _build_counts()}
    waiting = list(_list_references(document))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = drop_value_texts(known[name])
            waiting += _list_references(known[name])
    return {name: _build_on(name, found) for name in sorted(found)}


def _build_counts() -> Json:
    """What every list says of its verdicts."""
    names = list(CountsSerializer().fields)
    return {"type": "object", "properties": {name: {"type": "integer"} for name in names}, "required": sorted(names)}


def _list_references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str) and reference.startswith(_SHAPE):
            yield reference.removeprefix(_SHAPE)
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _list_references(one)


def drop_value_texts(value: Any) -> Any:
    """A part of a description without what its other words say as well: lists of values in texts, the kind of a
    number."""
    if isinstance(value, list):
        return [drop_value_texts(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {name: drop_value_texts(one) for name, one in value.items()}
    text = found.get("description")
    if isinstance(text, str):
        found["description"] = _VALUES_AS_TEXT.sub("", text)
        if text and not found["description"]:
            del found["description"]
    if "enum" in found:
        found.pop("minLength", None)
    if found.get("format") == "double":  # every number of JSON is one
        del found["format"]
    parts = found.get("allOf")
    if isinstance(parts, list) and len(parts) == 1:  # which the generator writes for what may stand beside it now
        return parts[0] | {name: value for name, value in found.items() if name != "allOf"}
    return found


def _build_on(name: str, shapes: Json) -> Json:
    """A shape as another one and what it has beside, where it has all fields of that, the largest such one."""
    shape = shapes[name]
    smaller = [other for other in shapes if other != name and _has_all_of(shape, shapes[other])]
    if not smaller:
        result: Json = shape
        return result
    other = max(smaller, key=lambda one: len(shapes[one]["properties"]))
    known = shapes[other]["properties"]
    own = {field: schema for field, schema in shape["properties"].items() if field not in known}
    required = [field for field in shape.get("required", ()) if field in own]
    beside: Json = {"properties": own} | ({"required": required} if required else {})
    rest = {word: value for word, value in shape.items() if word not in ("type", "properties", "required")}
    return {**rest, "allOf": [{"$ref": f"{_SHAPE}{other}"}, beside]}


def _has_all_of(shape: Json, other: Json) -> bool:
    """Whether a shape has every field of another in the same way, and not few of them."""
    mine, its = shape.get("properties", {}), other.get("properties", {})
    if not 5 <= len(its) < len(mine) or any(mine.get(field) != schema for field, schema in its.items()):
        return False
    return {field for field in shape.get("required", ()) if field in its} == set(other.get("required", ()))


def share_parts(document: Json) -> Json:
    """The document with parameters and examples that it repeats in its components."""
    parameters, examples = _Shared("parameters"), _Shared("examples")
    operations = [one for methods in document["paths"].values() for one in methods.values()]
    for operation in operations:
        for parameter in operation.get("parameters", ()):
            parameters.count(parameter)
        for media in _list_media(operation):
            examples.count(media.get("example"))
    for operation in operations:
        if "parameters" in operation:
            operation["parameters"] = [parameters.refer(one["name"], one) or one for one in operation["parameters"]]
        for media in _list_media(operation):
            reference = examples.refer(operation["operationId"], media.get("example"))
            if reference:
                del media["example"]
                media["examples"] = {"answer": reference}
    document["components"] |= {
        "parameters": parameters.parts,
        "examples": {name: {"value": value} for name, value in examples.parts.items()},
    }
    return document


def _list_media(operation: Json) -> list[Json]:
    bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
    return [media for body in bodies for media in body.get("content", {}).values()]


class _Shared:
    """Parts of a kind that stand in several places."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._counts: Counter[str] = Counter()
        self._names: dict[str, str] = {}
        self.parts: Json = {}

    def count(self, part: Any) -> None:
        self._counts[json.dumps(part)] += 1

    def refer(self, name: str, part: Any) -> Json | None:
        """A reference to a part that was counted more than once, under a name that is not taken."""
        text = json.dumps(part)
        if part is None or self._counts[text] < 2 or len(text) * (self._counts[text] - 1) < _WORTH_SHARING:
            return None
        if text not in self._names:
            self._names[text] = f"{name}{len(self.parts)}" if name in self.parts else name
            self.parts[self._names[text]] = part
        return {"$ref": f"#/components/{self._kind}/{self._names[text]}"}
