"""Evidence as it is stored: JSON, deflated with a dictionary of what evidence usually says (RFC 1951, raw).

What is stored is JSON too: a string, the number of the dictionary before base64. A dictionary never changes once rows
were packed with it; a better one gets the next number. See ADR 8.
"""

import json
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from django.db import models

_NUMBER = "1"
_WORDS = (Path(__file__).parent / f"evidence_words_{_NUMBER}.txt").read_bytes()
_WINDOW_BITS = -14  # 16 KB: the dictionary and the longest evidence; negative means raw
_MEMORY_LEVEL = 6
_FRESH = zlib.compressobj(2, zlib.DEFLATED, _WINDOW_BITS, _MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, zdict=_WORDS)


def pack(text: str) -> str:
    """JSON text in its stored form, without the quotes."""
    packer = _FRESH.copy()
    return _NUMBER + b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def unpack(packed: str) -> Any:
    """The value whose JSON text was packed."""
    return json.loads(zlib.decompressobj(_WINDOW_BITS, zdict=_WORDS).decompress(b64decode(packed[1:])))


class PackedJSONField(models.JSONField):
    """A JSON object stored packed. What was stored before there was packing is read as it is."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        stored = super().from_db_value(value, expression, connection)
        return unpack(stored) if isinstance(stored, str) else stored

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        packed = pack(json.dumps(value, ensure_ascii=False)) if isinstance(value, dict) else value
        return super().get_db_prep_value(packed, connection, prepared)
