"""The description of the API, as OpenAPI 3.1."""

import hashlib
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpResponse, HttpResponseNotModified
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import limits

_KEPT = "public, max-age=300"


@cache
def load_description() -> tuple[bytes, str]:
    """`openapi.yaml` as JSON, which `make api` writes beside it since reading YAML takes a second, and its ETag."""
    text = Path(settings.BASE_DIR, "openapi.json").read_bytes()
    return text, f'"{hashlib.sha256(text).hexdigest()[:32]}"'


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
