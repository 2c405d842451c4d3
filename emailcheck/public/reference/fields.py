"""Fields of the API as a reader sees them, from JSON schemas of the description."""

import re
from dataclasses import dataclass, field
from typing import Any

Schema = dict[str, Any]
_COMPONENT = "#/components/schemas/"
# What the generator writes below the text of a field with a fixed set of values.
_VALUES_AS_TEXT = re.compile(r"^\* `.*` - .*$\n?", re.MULTILINE)
_WORDS = {"date-time": "date-time", "binary": "file", "email": "e-mail"}
_MEASURES = (("Length", "character"), ("Items", "item"))
_LARGEST = 2**53  # limits of database columns mean nothing to a reader


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a value as text; its values where they are few; the name of its shape where it has fields."""

    word: str
    values: tuple[str, ...] = ()
    shape: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a field of a body. `place` of a parameter: path, query or header."""

    name: str
    kind: Kind
    required: bool
    note: str
    limits: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The shapes of the description by name."""

    known: dict[str, Schema]
    named: dict[str, None] = field(default_factory=dict)  # those that fields have led to, in that order

    def fields(self, schema: Schema) -> tuple[Field, ...]:
        """The fields of an object, those that must be there first where it is sent."""
        found = self._merge_parts(self.known[shape_name(schema)] if "$ref" in schema else schema)
        required = found.get("required", ())
        return tuple(
            Field(name, self.kind(one), name in required, describe_field(one), describe_limits(one))
            for name, one in found.get("properties", {}).items()
        )

    def _merge_parts(self, schema: Schema) -> Schema:
        """A shape that is another one and more, as one."""
        if "allOf" not in schema:
            return schema
        parts = [self._merge_parts(self.known[shape_name(one)] if "$ref" in one else one) for one in schema["allOf"]]
        properties = {name: value for part in parts for name, value in part.get("properties", {}).items()}
        return {
            **schema,
            "properties": properties,
            "required": [name for part in parts for name in part.get("required", ())],
        }

    def parameter(self, given: Schema) -> Field:
        schema = given["schema"]
        note = _strip_values(given.get("description", ""))
        return Field(
            given["name"], self.kind(schema), bool(given.get("required")), note, describe_limits(schema), given["in"]
        )

    def kind(self, schema: Schema) -> Kind:
        if "$ref" in schema:
            return self._named(shape_name(schema))
        if "allOf" in schema and "properties" not in schema["allOf"][-1]:
            return self.kind(schema["allOf"][0])
        if parts := schema.get("oneOf"):
            return _merge_kinds([self.kind(part) for part in parts])
        if "enum" in schema:
            return Kind(_kind_word(schema), tuple(_format_value(value) for value in schema["enum"]))
        if schema.get("type") == "array":
            inner = self.kind(schema["items"])
            return Kind(f"array of {inner.word}", inner.values, inner.shape)
        return Kind(_kind_word(schema))

    def _named(self, name: str) -> Kind:
        schema = self.known[name]
        if "properties" not in self._merge_parts(schema):
            return self.kind(schema)
        self.named[name] = None
        return Kind(name, shape=name)


def shape_name(schema: Schema) -> str:
    """The name of a shape that is referred to."""
    return str(schema["$ref"]).removeprefix(_COMPONENT)


def describe_field(schema: Schema) -> str:
    """The description of a field, in one paragraph."""
    return _strip_values(schema.get("description", ""))


def describe_limits(schema: Schema) -> str:
    """Bounds and default of a value, as text."""
    words = [_describe_bounds(schema)]
    for measure, unit in _MEASURES:
        if (most := schema.get(f"max{measure}")) is not None:
            words.append(f"at most {most:,} {unit}s")
    if schema.get("default") not in (None, ""):
        words.append(f"default {_format_value(schema['default'])}")
    return ", ".join(filter(None, words))


def _describe_bounds(schema: Schema) -> str:
    least, most = schema.get("minimum"), schema.get("maximum")
    if least is None or most is None or most > _LARGEST:
        return ""
    return f"{least:,} to {most:,}"


def _merge_kinds(kinds: list[Kind]) -> Kind:
    real = [kind for kind in kinds if kind.word != "null"]
    word = " or ".join(dict.fromkeys(kind.word for kind in real))
    values = tuple(value for kind in real for value in kind.values)
    return Kind(word if len(real) == len(kinds) else f"{word} or null", values, real[0].shape)


def _kind_word(schema: Schema) -> str:
    types = schema.get("type", "any value")
    named = [types] if isinstance(types, str) else types
    return " or ".join(_WORDS.get(schema.get("format", ""), one) if one == "string" else one for one in named)


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return {"\t": "tab", "": "(empty)"}.get(value, str(value))


def _strip_values(text: str) -> str:
    return " ".join(_VALUES_AS_TEXT.sub("", text).split())
