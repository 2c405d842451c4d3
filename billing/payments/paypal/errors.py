"""What can go wrong with PayPal.

PayPalError               502  nothing below is caught: the caller may try again
├── Unreachable                no answer, or only 409, 429 and 5xx, after every try; it may have happened
├── UnexpectedAnswer           an answer that is not what PayPal documents; it may have happened
├── WrongKeys                  401, 403: our keys or their permissions
├── Missing                    404: PayPal knows no such thing
└── Rejected                   400, 422, with PayPal's `issue`; it did not happen
    ├── NotApproved            the buyer has not approved yet
    ├── AlreadyCaptured        the order was captured before
    ├── Declined               the buyer's means of payment was refused; `link` leads to another try
    ├── WrongStatus            a subscription that is not in a state for this
    ├── AlreadyRefunded        nothing is left to refund
    ├── RefundRefused          more than is left, too late, or not allowed
    ├── InvoiceUsed            another payment has this invoice number
    └── RequestIdUsed          the request id was used for something else
WebhookRefused            400  not PayPal's, or not what PayPal says happened
"""

from emailcheck.common.errors import BadInput, Unavailable


class PayPalError(Unavailable):
    """A call to PayPal failed. `reason` is for our logs, `detail` for the customer."""

    status = 502
    code = "PAYMENT_PROVIDER_ERROR"
    sentence = "PayPal cannot do this at the moment. Please try again in a few minutes."

    def __init__(self, reason: str, *, debug_id: str = "") -> None:
        super().__init__(self.sentence)
        self.reason = reason
        self.debug_id = debug_id

    def __str__(self) -> str:
        return f"{self.reason} (debug id {self.debug_id})" if self.debug_id else self.reason


class Unreachable(PayPalError):
    """No usable answer after every try."""


class UnexpectedAnswer(PayPalError):
    """An answer that is not what PayPal documents."""


class WrongKeys(PayPalError):
    """PayPal does not know our keys, or they may not do this."""


class Missing(PayPalError):
    """PayPal knows no such thing."""


class Rejected(PayPalError):
    """PayPal understood, and refused. `issue` is PayPal's word for why; `link` where the buyer may go on."""

    def __init__(self, reason: str, *, issue: str = "", link: str = "", debug_id: str = "") -> None:
        super().__init__(reason, debug_id=debug_id)
        self.issue = issue
        self.link = link


class NotApproved(Rejected):
    sentence = "The payment has not been approved at PayPal yet."


class AlreadyCaptured(Rejected):
    """The order was captured before."""


class Declined(Rejected):
    sentence = "PayPal declined the payment. Please choose another way to pay."


class WrongStatus(Rejected):
    """The subscription is not in a state for this."""


class AlreadyRefunded(Rejected):
    sentence = "This payment has already been refunded."


class RefundRefused(Rejected):
    sentence = "PayPal refuses this refund."


class InvoiceUsed(Rejected):
    """Another payment has this invoice number."""


class RequestIdUsed(Rejected):
    """The request id was used for something else."""


BY_ISSUE: dict[str, type[Rejected]] = {
    "ORDER_NOT_APPROVED": NotApproved,
    "ORDER_ALREADY_CAPTURED": AlreadyCaptured,
    "INSTRUMENT_DECLINED": Declined,
    "PAYER_ACTION_REQUIRED": Declined,
    "TRANSACTION_REFUSED": Declined,
    "PAYER_CANNOT_PAY": Declined,
    "SUBSCRIPTION_STATUS_INVALID": WrongStatus,
    "SUBSCRIBER_ACCOUNT_LOCKED": WrongStatus,
    "CAPTURE_FULLY_REFUNDED": AlreadyRefunded,
    "REFUND_AMOUNT_EXCEEDED": RefundRefused,
    "REFUND_TIME_LIMIT_EXCEEDED": RefundRefused,
    "REFUND_NOT_ALLOWED": RefundRefused,
    "DUPLICATE_INVOICE_ID": InvoiceUsed,
    "DUPLICATE_REQUEST_ID": RequestIdUsed,
}


class WebhookRefused(BadInput):
    """Not signed by PayPal for us, or not what PayPal says happened."""

    code = "WEBHOOK_REFUSED"
