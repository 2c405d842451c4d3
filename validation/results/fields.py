"""Columns that all databases store alike."""

from typing import Any

from django.db import models


class ByteOrderedField(models.CharField[str, str]):
    """Text that every database compares byte by byte, so that a prefix is a range of the index."""

    def db_parameters(self, connection: Any) -> Any:
        return super().db_parameters(connection) | {"collation": "C" if connection.vendor == "postgresql" else None}
