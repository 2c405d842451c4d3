"""What of version 1 of the API is deprecated: it works until a date that is published with it."""

from dataclasses import dataclass
from datetime import date

RELEASED = date(2026, 11, 28)
SUNSET = date(2027, 11, 30)


@dataclass(frozen=True, slots=True)
class Deprecation:
    """A deprecated thing: `anchor` is that of its entry in the changelog, `text` says what it is and what to use."""

    name: str
    since: date
    sunset: date
    anchor: str
    text: str


def _name(name: str, text: str, anchor: str = "names-of-counts") -> Deprecation:
    return Deprecation(name, RELEASED, SUNSET, anchor, text)


DEPRECATIONS: tuple[Deprecation, ...] = (
    _name("id", "The id of a list under the name id. Read batch_id."),
    _name("processing_status", "The state of a list under its old name. Read status."),
    _name("total_processed", "The count of finished rows under its old name. Read processed."),
    _name("processed_emails", "The count of finished rows under its old name. Read processed."),
    _name("is_valid", "The verdict under its old name. Read valid."),
    _name("is_disposable", "The sign of a throwaway address under its old name. Read disposable."),
    _name("current_plan", "The plan under its old name. Read subscription_plan."),
    _name("next", "The cursor of the next page under its old name. Read next_cursor.", "cursors-and-limits"),
    _name(
        "page, page_size, total",
        "Numbered pages of GET /validate/batches and /validate/batch/{id}. Send cursor and limit, read next_cursor.",
        "cursors-and-limits",
    ),
    _name("Number ids of results", "Ids of results that count up. Read the ids that begin with res_.", "opaque-ids"),
    _name(
        "Unknown members that are ignored",
        "Members of a body that the API does not know, from keys made before the rule. Send documented members only.",
        "unknown-parameters",
    ),
)
