"""JSON as it is stored where there is much of it: deflated (RFC 1950). See ADR 8."""

import json
import zlib
from typing import Any

from django.db import models

_LEVEL = 1  # evidence repeats itself so much that more effort saves little


def pack(text: str) -> bytes:
    """JSON text in its stored form."""
    return zlib.compress(text.encode(), _LEVEL)


class PackedJSONField(models.BinaryField[Any, Any]):
    """JSON that is assigned packed and comes back as what it says."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(zlib.decompress(value))
