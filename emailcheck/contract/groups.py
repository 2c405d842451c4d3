"""How the reference is arranged: the calls by what they are about, each with a title."""

from typing import NamedTuple


class CallGroup(NamedTuple):
    """Calls about one thing: the title of each by its operation id, in the order of the page."""

    anchor: str
    title: str
    note: str
    calls: dict[str, str]


WITH_A_KEY = (
    CallGroup(
        "validate",
        "Validate",
        "One address is answered at once. A list of up to 100 addresses that takes less than 20 seconds is answered "
        "with its results (200), any other is queued (202) and goes on in the background.",
        {
            "validate_single": "Check one address",
            "validate_bulk": "Check a list",
            "validate_upload": "Check a file",
        },
    ),
    CallGroup(
        "uploads",
        "Files before their start",
        "Look at a file before anything is charged: how it is read, what is repaired in it, what it can cost at most. "
        "Change that, take a free sample, then start it.",
        {
            "validate_upload_inspect": "Review a file",
            "validate_upload_get": "The review of a file",
            "validate_upload_review": "Change how a file is read and repaired",
            "validate_upload_repairs": "Repairs and typing suggestions of a file",
            "validate_upload_sample": "Check a free sample of a file",
            "validate_upload_sample_get": "The free sample of a file",
            "validate_upload_start": "Start a file that was reviewed",
            "validate_upload_discard": "Discard a file",
        },
    ),
    CallGroup(
        "lists",
        "Lists",
        "Follow a list, read its results while it runs, take them away as a file, stop it, delete it.",
        {
            "validate_batch_status": "Progress of a list",
            "validate_batch_detail": "A list with its results",
            "validate_batch_results": "Search and stream results",
            "validate_batch_export": "Download results",
            "validate_batch_reach": "Reach against expected bounces",
            "validate_batch_report": "One-page report of a list",
            "validate_batch_cancel": "Cancel a list",
            "validate_batch_recheck": "Check unknown addresses again",
            "validate_batch_check_in_full": "Check in full what basic checks left open",
            "validate_batch_check_rest": "Check what the credits did not suffice for",
            "validate_batch_delete": "Delete a list",
        },
    ),
    CallGroup(
        "history",
        "History",
        "What was checked before: lists and single checks, newest first.",
        {
            "validate_batches": "Lists and single checks",
            "validate_result": "One verdict with its evidence",
            "validate_result_delete": "Delete a verdict",
        },
    ),
    CallGroup(
        "endpoints",
        "Webhook endpoints",
        "Add and look after the endpoints of the key's mode. These calls need the scope `webhooks`, the list `read`.",
        {
            "webhooks_create": "Add an endpoint with a key",
            "webhooks_list": "Endpoints of the mode",
            "webhooks_update": "Change an endpoint with a key",
            "webhooks_test": "Send an example to an endpoint",
            "webhooks_delete": "Delete an endpoint with a key",
        },
    ),
    CallGroup(
        "account",
        "Account",
        "What is left to spend, and what was spent.",
        {
            "credits_get": "Credits",
            "auth_me": "The account of the key",
            "analytics_dashboard": "Figures of the dashboard",
        },
    ),
)
WITHOUT_A_KEY = (
    CallGroup(
        "open",
        "Open to everybody",
        "These take no key.",
        {
            "reasons_list": "Reasons of verdicts",
            "status": "Whether the service works",
            "keys_leaked": "Report keys that were found in public",
        },
    ),
)
WITH_A_SIGN_IN = (
    CallGroup(
        "api-keys",
        "API keys",
        "",
        {
            "user_api_keys": "Keys of the account",
            "user_api_keys_create": "Create a key",
            "user_api_keys_update": "Change a key",
            "user_api_keys_revoke": "Revoke a key",
        },
    ),
    CallGroup(
        "webhooks",
        "Webhooks",
        "",
        {
            "user_webhooks_list": "Endpoints of the account",
            "user_webhooks_create": "Add an endpoint",
            "user_webhooks_update": "Change an endpoint",
            "user_webhooks_delete": "Delete an endpoint",
            "user_webhooks_test": "Send an example",
            "user_webhook_rotate": "Rotate the secret",
            "user_webhook_deliveries": "Deliveries of an endpoint",
            "user_webhook_delivery": "One delivery",
            "user_webhook_replay": "Send a delivery again",
            "user_webhook_replay_failed": "Send failed deliveries again",
        },
    ),
    CallGroup(
        "request-log",
        "Request log",
        "",
        {
            "user_requests": "Calls made with your keys",
            "user_request_detail": "One call",
            "user_request_advice": "What to do about a refused call",
        },
    ),
)
