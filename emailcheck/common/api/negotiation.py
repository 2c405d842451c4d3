"""JSON in and out: DRF imports this before its views, so it is a separate module."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from rest_framework.exceptions import NotAcceptable, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import JSONParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from emailcheck.common import request_context


class LenientNegotiation(DefaultContentNegotiation):
    """A call that has no format of those in `Accept` answers in its own (RFC 9110 section 12.4.1), not with 406."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The requested renderer, else the first."""
        known = list(renderers)
        if request.META.get("HTTP_ACCEPT", "*/*") == "*/*":
            return known[0], known[0].media_type
        try:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(request, known, format_suffix)
            return chosen
        except NotAcceptable:
            return known[0], known[0].media_type


class ApiJSONEncoder(JSONEncoder):
    """Writes moments as RFC 3339 has them, in UTC with whole seconds."""

    def default(self, obj: Any) -> Any:
        if isinstance(obj, datetime):
            return obj.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return super().default(obj)


class MarkedJSONRenderer(JSONRenderer):
    """JSON with `"test": true` in answers to test keys."""

    encoder_class = ApiJSONEncoder

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        marked = {**data, "test": True} if request_context.is_test_call() and isinstance(data, dict) else data
        rendered: bytes = super().render(marked, accepted_media_type, renderer_context)
        return rendered


class BoundedJSONParser(JSONParser):
    """JSON whose nesting is bounded by what can be read at all."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Raises `ParseError` for what is not JSON."""
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError as error:
            raise ParseError("The JSON is nested too deeply.") from error
