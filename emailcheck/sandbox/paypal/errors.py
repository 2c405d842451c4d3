"""Refusals of the simulated PayPal, in the words and shapes of the real one."""

from collections.abc import Mapping
from typing import Any

from emailcheck.sandbox.paypal.state import new_id

_HELP = "https://developer.paypal.com/docs/api/orders/v2/#error-"
_MESSAGES = {
    "INVALID_REQUEST": "Request is not well-formed, syntactically incorrect, or violates schema.",
    "UNPROCESSABLE_ENTITY": (
        "The requested action could not be performed, semantically incorrect, or failed business validation."
    ),
    "AUTHENTICATION_FAILURE": (
        "Authentication failed due to missing authorization header, or invalid authentication credentials."
    ),
    "RESOURCE_NOT_FOUND": "The specified resource does not exist.",
    "RATE_LIMIT_REACHED": "Too many requests. Blocked due to rate limiting.",
    "INTERNAL_SERVER_ERROR": "An internal server error occurred.",
}
_ISSUES = {
    "ORDER_NOT_APPROVED": "Payer has not yet approved the Order for payment.",
    "ORDER_ALREADY_CAPTURED": "Order already captured.",
    "INSTRUMENT_DECLINED": "The instrument presented was declined.",
    "SUBSCRIPTION_STATUS_INVALID": "Invalid subscription status for this action.",
    "CAPTURE_FULLY_REFUNDED": "The capture has already been fully refunded.",
    "REFUND_AMOUNT_EXCEEDED": "The refund amount must be less than or equal to what is left of the capture.",
    "REFUND_TIME_LIMIT_EXCEEDED": "The time limit to refund this capture has passed.",
    "REFUND_NOT_ALLOWED": "This capture cannot be refunded in its present state.",
    "DUPLICATE_INVOICE_ID": "The invoice id was used before.",
    "DUPLICATE_REQUEST_ID": "The PayPal-Request-Id was used before with another request.",
    "PLAN_STATUS_INVALID": "The plan is not active.",
    "PLAN_CURRENCY_MISMATCH": "The plan has another currency.",
    "PRODUCT_MISMATCH": "The plan belongs to another product.",
    "ZERO_OUTSTANDING_BALANCE": "There is no outstanding balance.",
}


class Fault(Exception):
    """A refusal: its HTTP status, its body, and headers besides."""

    def __init__(self, status: int, body: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(str(body))
        self.status, self.body, self.headers = status, body, dict(headers or {})


def new_debug_id() -> str:
    return new_id(length=13).lower()


def refused_fault(issue: str, *, also: dict[str, str] | None = None) -> Fault:
    """422: understood, but not possible now. `also` is a link beside the one to the documentation."""
    links = [{"href": f"{_HELP}{issue}", "rel": "information_link", "method": "GET"}, *([also] if also else [])]
    details = [{"issue": issue, "description": _ISSUES[issue]}]
    return Fault(422, {**_build_head("UNPROCESSABLE_ENTITY"), "details": details, "links": links})


def invalid_fault(field: str, value: object, *, missing: bool = False) -> Fault:
    """400: a member of the request is missing or is not what it should be."""
    issue = "MISSING_REQUIRED_PARAMETER" if missing else "INVALID_PARAMETER_VALUE"
    value_text = "A required field / parameter is missing." if missing else "The value of a field is invalid."
    shown = "" if value is None else str(value)[:100]
    detail = {"field": field, "value": shown, "location": "body", "issue": issue, "description": value_text}
    link = {"href": f"{_HELP}{issue}", "rel": "information_link", "method": "GET"}
    return Fault(400, {**_build_head("INVALID_REQUEST"), "details": [detail], "links": [link]})


def not_found_fault() -> Fault:
    detail = {"issue": "INVALID_RESOURCE_ID", "description": "Specified resource ID does not exist."}
    return Fault(404, {**_build_head("RESOURCE_NOT_FOUND"), "details": [detail]})


def unauthenticated_fault() -> Fault:
    return Fault(401, {**_build_head("AUTHENTICATION_FAILURE"), "links": []})


def expired_token_fault() -> Fault:
    return Fault(401, {"error": "invalid_token", "error_description": "Token signature verification failed"})


def wrong_client_fault() -> Fault:
    return Fault(401, {"error": "invalid_client", "error_description": "Client Authentication failed"})


def rate_limit_fault(seconds: int) -> Fault:
    return Fault(429, _build_head("RATE_LIMIT_REACHED"), {"Retry-After": str(seconds)})


def server_fault() -> Fault:
    return Fault(500, _build_head("INTERNAL_SERVER_ERROR"))


def _build_head(name: str) -> dict[str, Any]:
    return {"name": name, "message": _MESSAGES[name], "debug_id": new_debug_id()}
