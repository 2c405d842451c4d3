"""The errors for the documentation, by code and status: all that a call with an API key can be answered with.

Of those that only a call with a sign-in meets, it has the ones that ask for a decision of the caller.

A test holds it against the code: a code that is missing here, or that nothing raises, fails.
"""

from typing import NamedTuple


class Entry(NamedTuple):
    """An error: when it comes, and what to do."""

    code: str
    status: int
    when: str
    remedy: str


CATALOGUE = (
    Entry("VALIDATION_ERROR", 400, "A field is missing or has a wrong value, or the body is no JSON.",
          "Read `message`; `details.field` names the field."),
    Entry("INVALID_EMAIL", 400, "The address is empty, not a text, or has no @.", "Send one address as text."),
    Entry("EMPTY_LIST", 400, "The list holds no address.", "Send at least one line that is not blank."),
    Entry("NO_EMAILS", 400, "The file holds no address.", "Check the file, or name the column in `email_column`."),
    Entry("UNSUPPORTED_FILE", 400, "The file is none of .csv, .xlsx, .xls and .txt.", "Convert it."),
    Entry("UNREADABLE_FILE", 400, "The file is damaged, encrypted, or too large inside.", "Save it anew as CSV."),
    Entry("TOO_MANY_ROWS", 400, "The file has more rows than a list may have.", "Split it."),
    Entry("TOO_MANY_COLUMNS", 400, "The file has more columns than can be read.", "Remove those without addresses."),
    Entry("CELL_TOO_LONG", 400, "A cell of the file is too long.", "Shorten it, or remove its column."),
    Entry("ALREADY_RECHECKED", 400, "The unknown addresses of the list were checked a second time before.",
          "Send them as a new list."),
    Entry("NOTHING_TO_RECHECK", 400, "The list has no unknown address.", "Nothing is left to do."),
    Entry("NOTHING_TO_CHECK", 400, "Every address of the list was checked in that way.", "Nothing is left to do."),
    Entry("LAST_OWNER", 400, "Signed in alone: the organisation would be left without an owner.",
          "Transfer it to another member first, or delete it; `details.ways` names both."),
    Entry("INVALID_WEBHOOK_URL", 400, "The URL of the endpoint is not https, or leads to no public host.",
          "Give an https URL of yours that the internet reaches."),
    Entry("TOO_MANY_WEBHOOKS", 400, "There are as many endpoints as there may be.", "Delete one first."),
    Entry("INVALID_API_KEY", 401, "The key is missing, mistyped, revoked or expired.",
          "Send `Authorization: Bearer ec_live_…` with a key from your settings."),
    Entry("PERMISSION_DENIED", 403, "The key lacks the scope, or the call needs a sign-in.",
          "Make a key with the scope, or sign in."),
    Entry("ACCOUNT_SUSPENDED", 403, "The account is suspended.", "Write to support."),
    Entry("IP_NOT_ALLOWED", 403, "The key, or signed in the organisation, may not be used from this address.",
          "Add the address to the key, or to the networks of the organisation."),
    Entry("MFA_SETUP_REQUIRED", 403, "Signed in alone: the organisation requires two-factor sign-in.",
          "Set it up under Security."),
    Entry("QUOTA_EXCEEDED", 403, "The credits do not suffice; nothing was started.", "Buy credits, or send less."),
    Entry("PLAN_REQUIRED", 403, "The call needs a plan, a trial or credits of a pack that the account does not have.",
          "See which plans include it."),
    Entry("KEY_CAP_EXCEEDED", 403, "The key has spent its credits of the day (UTC).", "Raise its cap, or wait."),
    Entry("MEMBER_CAP_EXCEEDED", 403, "Signed in alone: the member has used their credits of the credit month.",
          "Ask an owner or admin to raise the cap, or wait for the next month."),
    Entry("NOT_FOUND", 404, "There is no such call, batch or result in your account, in the mode of your key.",
          "Check the id, and whether it was made with a test key."),
    Entry("METHOD_NOT_ALLOWED", 405, "The call does not have this method.", "See the reference."),
    Entry("REQUEST_TIMEOUT", 408, "The head or the body of the request came too slowly.", "Send it again."),
    Entry("CONFLICT", 409, "The upload was started already, or verdicts that it would reuse are gone.",
          "Look into your history, or at what it costs now."),
    Entry("BATCH_RUNNING", 409, "The list has not ended.", "Wait, or cancel it first."),
    Entry("BATCH_ENDED", 409, "The list has ended and cannot be cancelled.", "Read its results."),
    Entry("NOT_COMPLETED", 409, "The list was cancelled or has failed.", "Send its addresses again."),
    Entry("PART_OF_BATCH", 409, "The result is part of a list.", "Delete the list."),
    Entry("PAYMENT_PENDING", 409, "Signed in alone: PayPal still holds back a payment for the same thing.",
          "Wait, or send `confirm_second: true` to buy it a second time."),
    Entry("SAMPLE_USED", 409, "The list has had its free sample, or the credit month its number of them.",
          "Start the list, or wait for the next credit month."),
    Entry("IDEMPOTENCY_IN_FLIGHT", 409, "The first call with this Idempotency-Key has not been answered.",
          "Look into your history before you repeat it."),
    Entry("EXPIRED", 410, "The uploaded file has passed its retention time.", "Export as CSV, or send it again."),
    Entry("FILE_TOO_LARGE", 413, "The file is larger than 10 MB.", "Split it."),
    Entry("REQUEST_TOO_LARGE", 413, "The body is larger than 10 MB.", "Send it in parts, or as a file."),
    Entry("UNSUPPORTED_MEDIA_TYPE", 415, "The body is not of the type that the call takes.",
          "Send `Content-Type: application/json`, or `multipart/form-data` for files."),
    Entry("IDEMPOTENCY_MISMATCH", 422, "This Idempotency-Key came with another body before.", "Use a new key."),
    Entry("RATE_LIMIT_EXCEEDED", 429, "More calls a minute than the plan includes; nothing was charged.",
          "Wait as many seconds as `Retry-After` says."),
    Entry("HEADERS_TOO_LARGE", 431, "The address or the headers are longer than 8 and 32 KB.",
          "Put what is long into the body."),
    Entry("INTERNAL_ERROR", 500, "A fault of ours.", "Look into your history, then repeat; quote `request_id`."),
    Entry("OVERLOADED", 503, "More calls at once than can be answered in time; nothing was done.",
          "Wait as many seconds as `Retry-After` says, then repeat."),
    Entry("BUSY", 503, "Other tests of endpoints are running.", "Try again in a few seconds."),
    Entry("UNAVAILABLE", 503, "Something that the call needs does not answer now.", "Try again later."),
    Entry("DATABASE_UNAVAILABLE", 503, "The database does not answer, or is locked; nothing was changed.",
          "Wait as many seconds as `Retry-After` says; the same Idempotency-Key may be used."),
    Entry("STORAGE_FULL", 507, "A disk of ours is full; nothing was changed.",
          "Wait as many seconds as `Retry-After` says; the same Idempotency-Key may be used."),
)  # fmt: skip
