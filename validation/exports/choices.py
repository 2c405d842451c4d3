"""What a download is to hold, as its caller chose."""

from collections.abc import Mapping
from typing import Any, NamedTuple

TABLES = ("csv", "xlsx")
ORIGINAL, ALL_IN_ONE = "original", "zip"
PROGRAMS = ("mailchimp", "hubspot", "klaviyo", "brevo")
FORMATS = (*TABLES, ORIGINAL, ALL_IN_ONE, *PROGRAMS)


class ExportChoices(NamedTuple):
    """`risky_from` adds the risky addresses with at least this confidence to the segment `safe`. `raw` leaves cells as
    they are that a spreadsheet could run. `columns` and `segment_column` are those of the original file."""

    format: str = "csv"
    segment: str = "all"
    risky_from: float | None = None
    raw: bool = False
    columns: tuple[str, ...] | None = None
    segment_column: str | None = None

    @classmethod
    def from_query(cls, query: Mapping[str, Any]) -> "ExportChoices":
        """The choices of a call; without a segment, programs that send get the addresses that are safe to send to."""
        file_format = query["format"]
        return cls(
            format=file_format,
            segment=query.get("segment") or ("safe" if file_format in PROGRAMS else "all"),
            risky_from=query.get("risky_from"),
            raw=query["formulas"] == "raw",
            columns=query.get("columns"),
            segment_column=query.get("segment_column"),
        )
