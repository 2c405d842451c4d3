"""The description of the API, as OpenAPI 3.1."""

import hashlib
import json
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import limits

_KEPT = "public, max-age=300"


@cache
def load_description() -> tuple[bytes, str]:
    """The description, which changes with the code alone, and its ETag."""
    text = read_or_build_description()
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


def read_or_build_description() -> bytes:
    """The description of this version of the code. To make it takes a second: whoever does keeps it for the others."""
    file = settings.VAR_DIR / f"openapi-{_code_version()}.json"
    with suppress(FileNotFoundError):
        return Path(file).read_bytes()
    text = json.dumps(SchemaGenerator().get_schema(request=None, public=True), ensure_ascii=False).encode()
    with suppress(OSError):  # a full disk: the next process makes it again
        _store_description(file, text)
    return text


def _code_version() -> str:
    """The same for the same code and libraries; reading it all takes some 20 ms."""
    base = Path(settings.BASE_DIR)
    code = hashlib.sha256((base / "requirements.txt").read_bytes())
    for package in sorted(base.glob("*/__init__.py")):
        for file in sorted(package.parent.rglob("*.py")):
            code.update(file.read_bytes())
    return code.hexdigest()[:16]


def _store_description(file: Path, text: bytes) -> None:
    """Put the file in its place at once, and drop those of other versions."""
    draft = file.with_suffix(f".{secrets.token_hex(8)}")
    draft.write_bytes(text)
    draft.replace(file)
    for other in file.parent.glob("openapi-*.json"):
        if other != file:
            other.unlink(missing_ok=True)


class Schema(APIView):
    """This description."""

    authentication_classes = ()
    permission_classes = ()

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        limits.count_public()

    @extend_schema(operation_id="schema", auth=[], responses={200: OpenApiTypes.OBJECT})
    def get(self, request: Request) -> HttpResponseBase:
        text, etag = load_description()
        headers = {"ETag": etag, "Cache-Control": _KEPT}
        if request.headers.get("If-None-Match") == etag:
            return HttpResponseNotModified(headers=headers)
        return HttpResponse(text, content_type="application/json", headers=headers)
