"""Marks in the generated description: which calls are for programs, what their keys need, whether they may spend."""

from typing import Any

from accounts.access.permissions import find_scope, takes_keys
from billing.usage.quota import SpendingView

KEY, OPEN, SCOPE, SPENDS = "x-accepts-api-key", "x-open", "x-scope", "x-spends"
_NOT_TAKEN = {
    "description": "What the call does not take.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
}
_TEST_MARK = {"type": "boolean", "description": "True in answers to test keys; left out of others."}


def mark_calls(result: dict[str, Any], generator: Any, **_: Any) -> dict[str, Any]:
    """Mark calls that take API keys, with their scope and whether they may spend; calls that are open to every program;
    the refusal of what either does not take; and answers to test keys."""
    for path, _regex, method, callback in generator.endpoints:
        view, operation = callback.cls, result["paths"][path][method.lower()]
        if getattr(view, "open_to_programs", False):
            operation[OPEN] = True
        if takes_keys(view, method) or OPEN in operation:
            operation["responses"].setdefault("400", {**_NOT_TAKEN})
        if takes_keys(view, method):
            operation |= {
                KEY: True,
                SCOPE: str(find_scope(view, method)),
                SPENDS: issubclass(view, SpendingView) and getattr(view, "spends", True) and method == "POST",
            }
            for shape in _list_answer_shapes(operation):
                result["components"]["schemas"][shape].setdefault("properties", {})["test"] = _TEST_MARK
    return result


def _list_answer_shapes(operation: dict[str, Any]) -> set[str]:
    """The names of the shapes of all answers, refusals too."""
    bodies = [answer.get("content", {}).get("application/json", {}) for answer in operation["responses"].values()]
    references = [body.get("schema", {}).get("$ref", "") for body in bodies]
    return {reference.rpartition("/")[2] for reference in references if reference}
