"""The public description: what keys can call, and what is open to every program, as OpenAPI 3.1.

It is made from `openapi.json`, which `make api` generates from the code. Everything else of that, staff's calls and
those of pages among it, is left out, with the shapes that nothing else refers to.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from emailcheck.contract import shapes
from emailcheck.contract.groups import WITH_A_KEY, WITHOUT_A_KEY, CallGroup
from emailcheck.contract.marks import KEY, OPEN, SCOPE, SPENDS
from emailcheck.public.documentation.error_catalogue import CATALOGUE
from validation.results.reasons.catalogue import REASONS

Json = dict[str, Any]
EXAMPLES = Path(__file__).parent / "examples.json"
MOST_BYTES = 102_400
_PREFIX = "/api"
_INTRODUCTION = (
    "Validate e-mail addresses and read the verdicts with their evidence.\n\n"
    "Send a key as `Authorization: Bearer ec_live_…`; one that begins with `ec_test_` gets made-up verdicts and costs "
    "nothing. Members, values of `reason`, events and optional parameters may be added to v1 at any time: ignore what "
    "you do not know. Every answer carries `X-Request-Id`, `RateLimit` and `RateLimit-Policy`. "
    "What is a break, and how it is announced: {site}/documentation#versions. Every reason: "
    "{site}/documentation#reasons."
)
_PHRASES = {
    "400": "The request is wrong", "401": "No key, or none that works", "403": "Not allowed", "404": "Not found",
    "408": "Too slow", "409": "Not now", "410": "Gone", "413": "Too large", "415": "Wrong type of content",
    "422": "The key came with another body", "429": "Too many requests: wait as `Retry-After` says",
    "502": "Somebody else failed", "503": "Not available: wait as `Retry-After` says", "507": "No room",
}  # fmt: skip
_REASON = "ReasonEnum"
_HOW_LONG = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds after which to try again."}}
BINARY = "x-content-type"
_EVERY_CALL = ("429", "503")
PUBLIC = (*WITH_A_KEY, *WITHOUT_A_KEY)


@cache
def load_internal() -> tuple[bytes, str]:
    """The whole description as JSON, which `make api` writes, and its ETag."""
    return _tag(Path(settings.BASE_DIR, "openapi.json").read_bytes())


@cache
def load_contract() -> tuple[bytes, str]:
    """The public description as compact JSON, and its ETag."""
    return _tag(json.dumps(build_contract(), ensure_ascii=False, separators=(",", ":")).encode())


def _tag(text: bytes) -> tuple[bytes, str]:
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


@cache
def load_examples() -> Json:
    """Each call with its answer in test mode, by operation id."""
    found: Json = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


@cache
def build_contract() -> Json:
    """The public description."""
    internal, examples = json.loads(load_internal()[0]), load_examples()
    groups = {name: (group, title) for group in PUBLIC for name, title in group.calls.items()}
    paths: dict[str, Json] = defaultdict(dict)
    for path, method, operation in iterate_operations(internal):
        if operation.get(KEY) or operation.get(OPEN):
            name = operation["operationId"]
            described = _describe(operation, *groups[name], examples.get(name, {}))
            paths[path.removeprefix(_PREFIX)][method] = described
    components = internal["components"]
    document = {
        "openapi": internal["openapi"],
        "info": internal["info"] | {"description": _INTRODUCTION.format(site=settings.SITE_URL)},
        "servers": [{"url": f"{settings.SITE_URL}/api/v1"}],
        "security": [{"bearer": []}],
        "tags": [{"name": group.title, "description": group.note} for group in PUBLIC],
        "paths": dict(sorted(paths.items())),
        "components": {
            "securitySchemes": components["securitySchemes"],
            "responses": _build_responses(paths),
        },
    }
    document["components"]["schemas"] = shapes.collect_shapes(document, components["schemas"]) | _name_reasons()
    document["components"]["schemas"]["ResultRow"]["properties"]["reason"] = {"$ref": f"#/components/schemas/{_REASON}"}
    return shapes.share_parts(shapes.drop_value_texts(document))


def _name_reasons() -> Json:
    """The values of `reason` that a verdict can have."""
    told = "Why an address is in its category. More may be added: expect values that are not here."
    values = [str(entry.reason) for entry in REASONS if entry.outcomes]
    return {_REASON: {"type": "string", "description": told, "enum": values}}


def iterate_operations(description: Json) -> Iterator[tuple[str, str, Json]]:
    """Each operation with its path and method."""
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def _describe(operation: Json, group: CallGroup, title: str, example: Json) -> Json:
    """An operation of the contract: with its title and examples; its refusals are referred to."""
    is_open = not operation.get(KEY)
    described = {
        "operationId": operation["operationId"],
        "summary": title,
        "description": operation.get("description") or f"{title}.",
        "tags": [group.title],
        **{name: operation[name] for name in (SCOPE, SPENDS) if name in operation},
    }
    if is_open:
        described["security"] = []
    if parameters := [_describe_parameter(one, example) for one in operation.get("parameters", ())]:
        described["parameters"] = parameters
    if "requestBody" in operation:
        described["requestBody"] = _describe_body(operation["requestBody"], example)
    described["responses"] = _describe_answers(operation["responses"], example, is_open=is_open)
    if "refusal" in example:
        described["x-example-refusal"] = example["refusal"]
    return described


def _describe_parameter(parameter: Json, example: Json) -> Json:
    sent = example.get("path", {}) | example.get("query", {})
    schema = dict(parameter["schema"])
    ends = {"deprecated": True} if schema.pop("deprecated", False) else {}
    shown = {"example": sent[parameter["name"]]} if parameter["name"] in sent else {}
    return parameter | {"schema": schema} | ends | shown


def _describe_body(body: Json, example: Json) -> Json:
    sent = example.get("body", example.get("form"))
    content = {
        kind: media | ({} if sent is None else {"example": sent})
        for kind, media in body["content"].items()
        if kind in ("application/json", "multipart/form-data")
    }
    return body | {"content": content}


def _describe_answers(answers: Json, example: Json, *, is_open: bool) -> Json:
    """Each success with its example, and the refusals that the call can give."""
    found, shown = {}, False
    for status, answer in answers.items():
        if status.startswith("2"):
            is_answer = status == str(example.get("status", min(name for name in answers if name.startswith("2"))))
            found[status] = _describe_success(answer, example.get("answer") if is_answer and not shown else None)
            shown = shown or is_answer
    refusals = {status for status in answers if status in _PHRASES} - ({"401", "403"} if is_open else set())
    for status in sorted(refusals | {*_EVERY_CALL} | (set() if is_open else {"401", "403"})):
        found[status] = {"$ref": f"#/components/responses/{status}"}
    return found


def _describe_success(answer: Json, example: Any) -> Json:
    """An answer; the headers that every one has are described in the introduction."""
    answer = {"description": answer["description"], **_describe_content(answer.get("content", {}))}
    if example is None or "content" not in answer:
        return answer
    first, *others = answer["content"]
    content = {first: answer["content"][first] | {"example": example}}
    return answer | {"content": content | {kind: answer["content"][kind] for kind in others}}


def _describe_content(content: Json) -> Json:
    """What comes back. Files in types that generators of clients do not know are named beside, without a shape."""
    if set(content) == {"application/pdf"}:
        return {BINARY: "application/pdf"}
    shown = {kind: _describe_media(kind, media) for kind, media in content.items()}
    return {"content": shown} if shown else {}


def _describe_media(kind: str, media: Json) -> Json:
    if kind == "application/json":
        return media
    return {"schema": {"type": "string"}} if kind.startswith("text/") else {}


def _build_responses(paths: Json) -> Json:
    """The refusals that operations refer to, each with the codes of its status."""
    used = {
        status
        for methods in paths.values()
        for operation in methods.values()
        for status in operation["responses"]
        if status in _PHRASES
    }
    return {status: _build_refusal(status) for status in sorted(used)}


def _build_refusal(status: str) -> Json:
    codes = ", ".join(f"`{one.code}`" for one in CATALOGUE if str(one.status) == status)
    return {
        "description": f"{_PHRASES[status]}. Codes: {codes}.",
        **({"headers": _HOW_LONG} if status in _EVERY_CALL else {}),
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
    }
