"""What each reason means, in a plain sentence that names no host and no domain: one text for all rows with it."""

from validation.results.reasons.catalogue import REASONS

_TEXTS = {entry.reason: entry.meaning for entry in REASONS}


def explain_reason(reason: str) -> str:
    """The sentence of a reason; one of an outside provider in its own words; "" for none.

    >>> explain_reason("mailbox_not_found"), explain_reason("asked_elsewhere")
    ('The mailbox does not exist.', 'Asked elsewhere.')
    """
    text = _TEXTS.get(reason)
    return text if text is not None else f"{reason.replace('_', ' ').capitalize()}." if reason else ""
