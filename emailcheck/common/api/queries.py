"""What calls take: parameters of their address, and members of their bodies. What they do not take is refused, with the
name that was probably meant."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from emailcheck.common import request_context
from emailcheck.common.api.deprecations import UNKNOWN_NAMES, is_answered_as_before, note_use
from emailcheck.common.errors import BadInput
from emailcheck.common.text.nearest import find_nearest

# Other words for ours, from other products and from our own answers.
_ALIASES: Mapping[str, tuple[str, ...]] = {
    "address": ("email",), "addresses": ("emails",), "batches_next": ("cursor",), "count": ("limit",),
    "individual_next": ("cursor",), "key_name": ("name",), "list": ("emails",), "live": ("test",), "mode": ("test",),
    "next": ("cursor",), "next_cursor": ("cursor",), "offset": ("cursor", "after_row"), "per_page": ("limit",),
    "q": ("search",), "query": ("search",), "size": ("limit",), "starting_after": ("cursor",), "status": ("category",),
    "top": ("limit",),
}  # fmt: skip
_NEVER_IGNORED = "next"  # a client that sends it reads the first page for ever


def require_known_parameters(request: Request, view: Any) -> None:
    """Refuse parameters that the method does not take, by the view's `query`: a shape for each method that takes any.
    For calls of the contract, whose bodies are held to their shapes from here on.

    Raises `BadInput`. A key of the first edition of the contract is answered, but for `next`.
    """
    request_context.set_contract_call()
    if not request.META.get("QUERY_STRING") or not hasattr(view, str(request.method).lower()):
        return
    shape = getattr(view, "query", {}).get("GET" if request.method == "HEAD" else request.method)
    known = list(shape().fields) if shape is not None else []
    unknown = [name for name in request.query_params if name not in known]
    if unknown and is_answered_as_before(UNKNOWN_NAMES) and _NEVER_IGNORED not in unknown:
        note_use(UNKNOWN_NAMES, unknown=tuple(unknown))
    elif unknown:
        name = _NEVER_IGNORED if _NEVER_IGNORED in unknown else unknown[0]
        raise build_unknown_error("parameter", name, known, value=request.query_params[name])


def require_known_members(shape: serializers.BaseSerializer[Any], data: Any) -> None:
    """Refuse members that a shape does not have, nested ones too. Raises `BadInput`.

    A key of the first edition of the contract is answered.
    """
    if isinstance(data, dict) and data.keys() <= _list_plain_members(shape):
        return
    unknown = list(_list_unknown(shape, data, ""))
    if unknown and is_answered_as_before(UNKNOWN_NAMES):
        note_use(UNKNOWN_NAMES, unknown=tuple(path for path, _, _ in unknown))
    elif unknown:
        path, known, value = unknown[0]
        raise build_unknown_error("member", path, known, value=value)


def build_unknown_error(kind: str, path: str, known: Iterable[str], *, value: object) -> BadInput:
    """The refusal of a name, with the one that was probably meant, else with all that are allowed."""
    names = list(known)
    beginning, dot, name = path.rpartition(".")
    if meant := find_meant(name, names):
        hint = f"Did you mean '{beginning}{dot}{meant}'?"
    else:
        hint = f"Allowed: {', '.join(names)}." if names else f"This call takes no {kind}s."
    return BadInput(f"Unknown {kind} '{path[:100]}'. {hint}", field=path[:100], value=value)


def find_meant(name: str, known: Sequence[str]) -> str | None:
    """The known name that was probably meant by another: our word for it, else the nearest, else our word for the
    nearest of other words; None where none is near."""
    return (
        _find_our_word(name, known) or find_nearest(name, known) or _find_our_word(find_nearest(name, _ALIASES), known)
    )


def _find_our_word(name: str | None, known: Sequence[str]) -> str | None:
    return next((one for one in _ALIASES.get((name or "").lower(), ()) if one in known), None)


@lru_cache(maxsize=512)
def _list_plain_members(shape: serializers.BaseSerializer[Any]) -> frozenset[str]:
    """The members of a shape in which there are no others: most bodies have these alone."""
    if not isinstance(shape, serializers.Serializer):
        return frozenset()
    plain = (serializers.CharField, serializers.BooleanField, serializers.IntegerField, serializers.ChoiceField)
    return frozenset(name for name, field in shape.fields.items() if isinstance(field, plain) and not field.read_only)


def _list_unknown(shape: Any, data: Any, path: str) -> Iterator[tuple[str, list[str], object]]:
    """The path of every member that a shape does not have, the names beside it, and what was sent."""
    if isinstance(shape, serializers.Serializer) and isinstance(data, Mapping):
        known = [name for name, field in shape.fields.items() if not field.read_only]
        for name, value in data.items():
            if name in known:
                yield from _list_unknown(shape.fields[name], value, f"{path}{name}.")
            elif str(name).partition("[")[0] not in known:  # a form writes lists as `name[0]`
                yield f"{path}{name}", known, value
    elif _holds_shapes(shape) and isinstance(data, list):
        for number, item in enumerate(data):
            yield from _list_unknown(shape.child, item, f"{path}{number}.")


def _holds_shapes(shape: Any) -> bool:
    """Whether it is a list of objects; a list of a million texts is not looked through."""
    is_list = isinstance(shape, serializers.ListSerializer | serializers.ListField)
    return is_list and isinstance(shape.child, serializers.BaseSerializer)
