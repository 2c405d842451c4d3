"""What everybody gets from each call of the API; `test_permissions` holds the calls against it."""

from collections.abc import Callable
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Reader and writer are keys of Alice, with the scope read and with both.
CAST = ("anonymous", "alice", "bob", "reader", "writer", "suspended", "staff")
Table = dict[str, int]


def table(**statuses: int) -> Table:
    """Everybody's status: that of a call about one's own account, unless it is named here."""
    own = {"anonymous": 401, "alice": 200, "bob": 200, "reader": 403, "writer": 403, "suspended": 403, "staff": 200}
    return own | statuses


STAFF = table(alice=403, bob=403)
OPEN = dict.fromkeys(CAST, 200)
OPEN_ROUTES = (
    "plans", "reasons", "status", "status/history", "monitoring/health", "blog/posts", "openapi.json",
)  # fmt: skip
SIGNED_IN = table()
MINE = table(bob=404, staff=404)
READ = table(reader=200, writer=200)
WRITE = table(writer=200)
MINE_READ = table(bob=404, staff=404, reader=200, writer=200)
MINE_WRITE = table(bob=404, staff=404, writer=200)
ENDED = table(alice=409, bob=404, staff=404, writer=409)  # the batch of the table has
NOT_UNDERSTOOD = dict.fromkeys(CAST, 400)  # anybody may try; nothing, or nonsense, is sent here
FEEDBACK = NOT_UNDERSTOOD | {"reader": 403, "writer": 403, "suspended": 403}
CODE_AWAITED = table(alice=400, bob=400, staff=400)
NO_SUCH_METHOD = dict.fromkeys(CAST, 405)
SESSION = "user/sessions/<str:session_id>"
BATCH = "validate/batch/<str:batch_id>"
UPLOAD = "validate/upload/<str:upload_id>"
CUSTOM_PLAN = "admin/custom-plans/<int:plan_id>"
DEAL = "admin/deals/<int:deal_id>"
QUOTE = "quotes/<str:quote_id>"
USER = "admin/users/<int:user_id>"
ANY_STAFF = r"^admin(?:/.*)?$"
KEY = "user/api-keys/<int:key_id>"
MEMBER, INVITATION = "organisation/members/<int:member_id>", "organisation/invitations/<str:invitation_id>"
NOTHING_THERE = table(alice=404, bob=404, staff=404)
DOMAIN = "organisation/domains/<int:domain_id>"
HOOK, DELIVERY = "user/webhooks/<int:webhook_id>", "deliveries/<str:delivery_id>"
ENDPOINT = "webhooks/<str:webhook_id>"
CHANGE = "subscriptions/plan-change"
METHOD = "payment-methods/<int:method_id>"
AGREEMENT = "payments/paypal/create-billing-agreement"
CLIENT = "organisation/clients/<str:client_id>"
HOOK_URL = "https://inbox.hookbarn.com/a"
LIVING = "ida.holm@harborquill.com"

# Who gets which status; a method that is not named is refused with 405, after the sign-in where one is needed.
EXPECTED: dict[tuple[str, str], Table] = {
    ("POST", "auth/login"): NOT_UNDERSTOOD,
    ("POST", "auth/refresh"): dict.fromkeys(CAST, 401),  # by its cookie alone, which no client here has
    ("POST", "auth/logout"): table(reader=401, writer=401),
    **{(method, "auth/logout"): NO_SUCH_METHOD | {"suspended": 403} for method in METHODS if method != "POST"},
    ("GET", "auth/me"): READ,
    ("POST", "auth/mfa/verify"): NOT_UNDERSTOOD,
    ("POST", "auth/register"): NOT_UNDERSTOOD,
    ("GET", "auth/verify-email"): NOT_UNDERSTOOD,
    ("POST", "auth/resend-verification"): NOT_UNDERSTOOD,
    ("POST", "auth/forgot-password"): NOT_UNDERSTOOD,
    ("GET", "auth/verify-reset-token/<str:token>"): NOT_UNDERSTOOD,
    ("POST", "auth/reset-password"): NOT_UNDERSTOOD,
    ("GET", "auth/google/start"): dict.fromkeys(CAST, 302),
    ("GET", "auth/google/callback"): dict.fromkeys(CAST, 302),
    ("POST", "auth/google/link"): dict.fromkeys(CAST, 401),  # by a cookie, which no client here has
    ("POST", "auth/google/mail"): dict.fromkeys(CAST, 401),
    ("GET", "auth/session"): dict.fromkeys(CAST, 401),  # by a code and a cookie, which no client here has
    ("POST", "auth/reauthenticate"): CODE_AWAITED,
    ("GET", "user/mfa"): SIGNED_IN,
    ("POST", "user/mfa/totp"): SIGNED_IN,
    ("DELETE", "user/mfa/totp"): CODE_AWAITED,
    ("POST", "user/mfa/totp/confirm"): CODE_AWAITED,
    ("POST", "user/mfa/recovery-codes"): CODE_AWAITED,
    ("GET", "user/sessions"): SIGNED_IN,
    ("DELETE", "user/sessions"): SIGNED_IN,
    ("DELETE", SESSION): MINE,
    ("DELETE", "user"): table(alice=400, bob=400, staff=403),  # who does not confirm keeps the account
    ("PUT", "user/profile"): SIGNED_IN,
    **{(method, "user/preferences"): SIGNED_IN for method in ("GET", "PUT")},
    **{(method, "user/retention"): SIGNED_IN for method in ("GET", "PUT")},
    **{(method, "organisation/downloads"): SIGNED_IN for method in ("GET", "PUT")},
    ("GET", "organisation/audit"): SIGNED_IN,
    ("GET", "organisation/audit/export"): SIGNED_IN,
    ("GET", "organisation/rules"): SIGNED_IN,
    ("PUT", "organisation/rules"): SIGNED_IN,
    ("GET", "organisation/domains"): SIGNED_IN,
    ("POST", "organisation/domains"): table(alice=201, bob=201, staff=201),
    **{(method, DOMAIN): MINE for method in ("PUT", "DELETE")},
    ("POST", f"{DOMAIN}/check"): MINE,
    ("GET", "user/onboarding"): SIGNED_IN,
    ("PUT", "user/onboarding"): SIGNED_IN,
    ("POST", "keys/leaked"): NOT_UNDERSTOOD,
    ("DELETE", "user/key-leaks/<str:notice_id>"): NOTHING_THERE,
    **{(method, "organisation/leaked-keys"): SIGNED_IN for method in ("GET", "PUT")},
    ("GET", "user/api-keys"): SIGNED_IN,
    ("POST", "user/api-keys"): table(alice=201, bob=201, staff=201),
    ("PUT", KEY): MINE,
    ("DELETE", KEY): MINE,
    ("GET", "organisation"): SIGNED_IN,
    ("PUT", "organisation"): SIGNED_IN,
    ("DELETE", "organisation"): table(alice=400, bob=400, staff=400),  # who does not confirm keeps it
    ("GET", "organisation/members"): SIGNED_IN,
    ("PUT", MEMBER): MINE,
    ("DELETE", MEMBER): MINE | {"alice": 400},  # the last owner
    ("POST", "organisation/invitations"): table(alice=201, bob=201, staff=201),
    ("DELETE", INVITATION): MINE,
    ("POST", f"{INVITATION}/resend"): MINE,
    ("POST", "organisation/leave"): table(alice=400, bob=400, staff=400),  # the last owners
    ("POST", "organisation/switch"): table(alice=400, bob=400, staff=400),  # to nothing
    ("POST", "organisation/transfer"): table(alice=400, bob=400, staff=400),  # without a member
    ("DELETE", "organisation/transfer"): NOTHING_THERE,
    **{("POST", f"organisation/transfer/{answer}"): NOTHING_THERE for answer in ("accept", "decline")},
    ("GET", "invitations/<str:token>"): dict.fromkeys(CAST, 404),  # there is none
    ("POST", "invitations/<str:token>/accept"): NOTHING_THERE,
    **{("GET", f"user/{part}"): SIGNED_IN for part in ("activity", "requests", "deletion", "export-data")},
    ("GET", "user/first-hour"): SIGNED_IN,
    **{("GET", f"user/requests/<str:request_id>{part}"): NOTHING_THERE for part in ("", "/advice")},
    ("DELETE", "user/validation-history"): SIGNED_IN,
    ("GET", "webhooks"): READ,
    ("POST", "webhooks"): table(alice=201, bob=201, staff=201),  # the keys of the table lack the scope
    **{(method, ENDPOINT): MINE for method in ("PATCH", "DELETE")},
    ("POST", f"{ENDPOINT}/test"): MINE,
    ("GET", "user/webhooks"): SIGNED_IN,
    ("POST", "user/webhooks"): table(alice=201, bob=201, staff=201),
    **{(method, HOOK): MINE for method in ("PUT", "DELETE")},
    **{("POST", f"{HOOK}/{act}"): MINE for act in ("test", "rotate-secret", "replay-failed", f"{DELIVERY}/replay")},
    **{("GET", f"{HOOK}/{part}"): MINE for part in ("deliveries", DELIVERY)},
    ("GET", "credits"): READ,
    ("GET", "credits/statement"): SIGNED_IN,
    ("GET", "referral/activities"): SIGNED_IN,
    ("GET", "referral/stats"): SIGNED_IN,
    ("GET", "credits/statement/export"): SIGNED_IN,
    ("GET", "user/usage-alerts"): SIGNED_IN,
    ("PUT", "user/usage-alerts"): SIGNED_IN,
    **{("GET", route): OPEN for route in OPEN_ROUTES},
    ("GET", "subscriptions/status"): SIGNED_IN,
    ("GET", f"{CHANGE}/preview"): table(alice=400, bob=400, staff=400),  # nothing is said
    ("POST", f"{CHANGE}/create-payment"): table(alice=400, bob=400, staff=400),
    ("POST", CHANGE): table(alice=400, bob=400, staff=400),
    ("DELETE", CHANGE): table(alice=400, bob=400, staff=400),  # nothing is scheduled
    ("POST", f"{CHANGE}/complete/<str:token>"): table(alice=400, bob=400, staff=400),
    ("POST", "subscriptions/pause"): SIGNED_IN,
    ("POST", "subscriptions/resume"): table(alice=400, bob=400, staff=400),  # nothing is paused
    ("POST", "subscriptions/cancel"): SIGNED_IN,
    ("POST", "subscriptions/reactivate"): table(alice=400, bob=400, staff=400),  # nothing is cancelled
    ("POST", "trial/start"): table(alice=400, bob=400, staff=400),  # all three have a plan
    ("GET", "payments/pending"): SIGNED_IN,
    ("POST", "payments/paypal/create-order"): SIGNED_IN,
    ("POST", AGREEMENT): table(alice=409, bob=409, staff=409),  # all have a plan
    ("POST", "payments/paypal/complete/<str:token>"): table(alice=404, bob=404, staff=404),
    ("GET", "payments/paypal/status/<str:token>"): table(alice=404, bob=404, staff=404),
    ("POST", "payments/paypal/webhook"): NOT_UNDERSTOOD,
    ("GET", "invoices"): SIGNED_IN,
    ("POST", "invoices/<int:invoice_id>/pay"): MINE | {"alice": 400},  # it is paid
    ("GET", "invoices/<int:invoice_id>/pdf"): MINE,
    ("POST", "invoices/<int:invoice_id>/resend"): MINE,
    ("GET", "organisation/billing"): SIGNED_IN,
    ("PUT", "organisation/billing"): SIGNED_IN,
    ("PUT", "organisation/members/<int:member_id>/cap"): MINE,
    ("GET", "organisation/clients"): SIGNED_IN,
    ("POST", "organisation/clients"): table(alice=201, bob=201, staff=201),
    ("PUT", CLIENT): table(alice=404, bob=404, staff=404),
    ("GET", f"{CLIENT}/logo"): table(alice=404, bob=404, staff=404),
    **{(method, f"{CLIENT}/logo"): table(alice=404, bob=404, staff=404) for method in ("PUT", "DELETE")},
    **{(method, f"{CLIENT}/transfers"): table(alice=404, bob=404, staff=404) for method in ("GET", "POST")},
    ("GET", "organisation/transfers"): SIGNED_IN,
    ("POST", "organisation/agency/end"): table(alice=400, bob=400, staff=400),  # none of them has one
    ("GET", "payment-methods"): SIGNED_IN,
    ("PUT", METHOD): MINE,
    ("DELETE", METHOD): MINE,
    ("GET", "analytics/dashboard"): READ,
    **{("GET", f"analytics/{part}"): SIGNED_IN for part in ("usage", "advanced")},
    ("POST", "validate/single"): WRITE,
    ("POST", "validate/bulk"): WRITE,
    ("POST", "validate/upload"): WRITE,
    ("POST", "validate/upload/inspect"): WRITE,
    ("GET", UPLOAD): MINE_READ,
    ("PUT", UPLOAD): MINE_WRITE,
    ("DELETE", UPLOAD): MINE_WRITE,
    ("GET", f"{UPLOAD}/repairs"): MINE_READ,
    ("POST", f"{UPLOAD}/start"): MINE_WRITE | {"alice": 202, "writer": 202},
    ("GET", f"{UPLOAD}/sample"): MINE_READ,
    ("POST", f"{UPLOAD}/sample"): MINE_WRITE | {"alice": 400, "writer": 400},  # the file of the table is too short
    ("GET", "validate/batches"): READ,
    ("GET", BATCH): MINE_READ,
    ("PUT", BATCH): table(bob=404, staff=404),
    ("DELETE", BATCH): table(bob=404, staff=404, writer=200),
    ("POST", f"{BATCH}/cancel"): ENDED,
    ("POST", f"{BATCH}/resume"): table(alice=409, bob=404, staff=404),
    ("POST", f"{BATCH}/recheck"): ENDED | {"alice": 400, "writer": 400},
    ("POST", f"{BATCH}/rest"): ENDED | {"alice": 400, "writer": 400},
    ("POST", f"{BATCH}/check-in-full"): ENDED | {"alice": 400, "writer": 400},
    ("GET", f"{BATCH}/status"): MINE_READ,
    ("GET", f"{BATCH}/results"): MINE_READ,
    ("GET", f"{BATCH}/export"): MINE_READ,
    ("GET", f"{BATCH}/reach"): MINE_READ,
    ("GET", f"{BATCH}/report.pdf"): MINE_READ,
    ("GET", "validate/result/<str:result_id>"): MINE_READ,
    ("POST", "contact/send"): NOT_UNDERSTOOD,
    ("POST", "try"): NOT_UNDERSTOOD,
    ("POST", "newsletter/subscribe"): NOT_UNDERSTOOD,
    ("POST", "newsletter/confirm"): NOT_UNDERSTOOD,
    ("POST", "newsletter/unsubscribe"): NOT_UNDERSTOOD,
    ("GET", "admin/deals"): STAFF,
    ("POST", "admin/deals"): STAFF | {"staff": 400},
    ("GET", DEAL): STAFF | {"staff": 404},
    ("PUT", DEAL): STAFF | {"staff": 404},
    ("DELETE", DEAL): STAFF | {"staff": 404},
    ("POST", f"{DEAL}/move"): STAFF | {"staff": 400},
    ("POST", f"{DEAL}/notes"): STAFF | {"staff": 400},
    ("POST", f"{DEAL}/contact"): STAFF | {"staff": 404},
    ("GET", "admin/contracts"): STAFF,
    ("POST", "admin/contracts"): STAFF | {"staff": 400},
    ("GET", "admin/contracts/<int:contract_id>"): STAFF | {"staff": 404},
    ("PUT", "admin/contracts/<int:contract_id>"): STAFF | {"staff": 404},
    ("DELETE", "admin/contracts/<int:contract_id>"): STAFF | {"staff": 404},
    ("GET", "admin/claims"): STAFF,
    ("PUT", "admin/claims"): STAFF | {"staff": 400},
    ("GET", "admin/feedback"): STAFF,
    ("POST", "feedback"): FEEDBACK,
    ("POST", "docs/feedback"): FEEDBACK,
    **{
        (method, route): NO_SUCH_METHOD | {"reader": 403, "writer": 403, "suspended": 403}
        for method in METHODS
        for route in ("feedback", "docs/feedback")
        if method != "POST"
    },
    ("GET", "admin/contacts"): STAFF,
    ("GET", "admin/contacts/<int:message_id>"): STAFF | {"staff": 404},
    ("PUT", "admin/contacts/<int:message_id>"): STAFF | {"staff": 400},
    ("POST", "admin/contacts/<int:message_id>/deal"): STAFF | {"staff": 400},
    ("GET", "admin/newsletter"): STAFF,
    ("GET", "admin/newsletter/export"): STAFF,
    ("GET", "quotes/my-quotes"): SIGNED_IN,
    ("GET", "quotes/my-requests"): SIGNED_IN,
    ("POST", "quotes/request-custom"): table(alice=400, bob=400, staff=400),  # without a number
    ("GET", QUOTE): table(alice=404, bob=404, staff=404),
    ("POST", f"{QUOTE}/decline"): table(alice=404, bob=404, staff=404),
    ("POST", f"{QUOTE}/create-payment-order"): table(alice=400, bob=400, staff=400),  # without a plan
    ("GET", "admin/custom-plans"): STAFF,
    ("POST", "admin/custom-plans"): STAFF | {"staff": 400},
    ("PUT", CUSTOM_PLAN): STAFF | {"staff": 404},
    ("POST", f"{CUSTOM_PLAN}/clone"): STAFF | {"staff": 404},
    ("POST", f"{CUSTOM_PLAN}/assign"): STAFF | {"staff": 400},
    ("GET", "admin/plan-requests"): STAFF,
    ("POST", "admin/plan-requests/<int:request_id>/approve"): STAFF | {"staff": 404},
    ("GET", "admin/custom-quote-requests"): STAFF,
    ("PUT", "admin/custom-quote-requests/<int:request_id>"): STAFF | {"staff": 400},
    ("GET", "admin/quotes"): STAFF,
    ("POST", "admin/quotes/preview"): STAFF | {"staff": 400},
    ("POST", "admin/quotes/generate"): STAFF | {"staff": 400},
    ("POST", "admin/quotes/cleanup"): STAFF,
    ("POST", "admin/quotes/send-email"): STAFF | {"staff": 400},
    ("GET", f"admin/{QUOTE}"): STAFF | {"staff": 404},
    ("POST", f"admin/{QUOTE}/delete"): STAFF | {"staff": 404},
    ("POST", f"admin/{QUOTE}/archive"): STAFF | {"staff": 404},
    ("DELETE", "validate/result/<str:result_id>"): table(alice=409, bob=404, staff=404, writer=409),
    ("GET", "admin/api-credits"): STAFF,
    ("GET", "admin/api-credits/stats"): STAFF,
    ("PUT", "admin/api-credits/<str:name>"): STAFF | {"staff": 404},
    ("GET", "admin/audit"): STAFF,
    ("GET", "admin/emails"): STAFF,
    ("GET", "admin/emails/<str:name>/preview"): STAFF,
    ("GET", "admin/invoices/open"): STAFF,
    ("POST", "admin/invoices/<int:invoice_id>/buyer"): STAFF | {"staff": 400},  # without a reason
    ("POST", "admin/invoices/<int:invoice_id>/paid"): STAFF | {"staff": 400},  # without a way
    ("GET", "admin/payments"): STAFF,
    ("GET", "admin/revenue"): STAFF,
    ("GET", "admin/stats"): STAFF,
    ("GET", "admin/payments/<int:payment_id>"): STAFF,
    ("POST", "admin/payments/<int:payment_id>/refund"): STAFF | {"staff": 400},  # without a reason
    ("GET", "admin/system-stats"): STAFF,
    ("GET", "admin/system/activity"): STAFF,
    ("GET", "admin/system/export-users"): STAFF,
    ("GET", "admin/system/logs"): STAFF,
    ("GET", "admin/system/logs/download"): STAFF,
    ("GET", "admin/system/services"): STAFF,
    ("POST", "admin/system/<str:action>"): STAFF | {"staff": 404},
    ("GET", "admin/work"): STAFF,
    ("POST", "admin/work/<str:kind>/<str:work_id>/retry"): STAFF | {"staff": 404},
    ("POST", "admin/work/<str:kind>/<str:work_id>/cancel"): STAFF | {"staff": 404},
    ("GET", "monitoring/alerts"): STAFF,
    ("GET", "monitoring/metrics"): STAFF,
    ("GET", "monitoring/routes"): STAFF,
    ("POST", "monitoring/egress/<int:egress_id>/<str:action>"): STAFF | {"staff": 400},  # without a reason
    ("GET", "admin/api-health"): STAFF,
    ("GET", "admin/incidents"): STAFF,
    ("POST", "admin/incidents"): STAFF | {"staff": 400},
    ("PUT", "admin/incidents/<int:incident_id>"): STAFF | {"staff": 404},
    ("GET", "admin/users/authenticated"): STAFF,
    ("GET", "admin/users/test-users"): STAFF,
    ("DELETE", "admin/users/delete-test-users"): STAFF,
    ("GET", USER): STAFF,
    ("PUT", USER): STAFF,
    ("DELETE", USER): STAFF,
    ("POST", f"{USER}/deletion"): STAFF | {"staff": 400},  # without a reason
    ("GET", "admin/colleague-deletions"): STAFF,
    ("POST", "admin/colleague-deletions/<int:deletion_id>/confirm"): STAFF | {"staff": 404},
    ("POST", "admin/colleague-deletions/<int:deletion_id>/cancel"): STAFF | {"staff": 404},
    ("GET", f"{USER}/ledger"): STAFF,
    ("GET", f"{USER}/activity"): STAFF,
    ("POST", f"{USER}/addresses"): STAFF | {"staff": 400},  # without a reason
    ("POST", f"{USER}/lists/<str:batch_id>/addresses"): STAFF | {"staff": 400},
    ("POST", f"{USER}/sign-out"): STAFF,
    ("POST", f"{USER}/reset-mfa"): STAFF | {"staff": 400},  # without a reason
    ("POST", f"{USER}/resend-verification"): STAFF | {"staff": 400},  # verified already
    ("POST", f"{USER}/view-as"): STAFF | {"staff": 400},  # without a reason
    ("DELETE", "admin/view-as"): STAFF,
    ("POST", "admin/create-admin"): STAFF | {"staff": 400},  # without an address
    ("POST", "admin/credits/bulk-grant/preview"): STAFF | {"staff": 400},  # without addresses
    ("POST", "admin/credits/bulk-grant"): STAFF | {"staff": 400},
    ("POST", "monitoring/backup/trigger"): STAFF,
    ("GET", "monitoring/backups"): STAFF,
    ("DELETE", "monitoring/backups/<str:backup_id>"): STAFF | {"staff": 404},
    ("GET", "monitoring/backups/<str:backup_id>/download"): STAFF | {"staff": 404},
    ("GET", ANY_STAFF): table(alice=403, bob=403, staff=404),
    ("GET", "blog/posts/<slug:slug>"): dict.fromkeys(CAST, 404),  # there is none of that name
    **{(method, "schema"): STAFF | {"staff": 200 if method == "GET" else 405} for method in METHODS},
}
ROUTES = sorted({route for _, route in EXPECTED})
# The calls that accept a key, and nothing else does (DOC-045).
FOR_KEYS = {
    "auth/me",
    "credits",
    "analytics/dashboard",
    *(route for route in ROUTES if route.startswith(("validate/", "webhooks"))),
} - {f"{BATCH}/resume"}
WITHOUT_SIGN_IN = {
    "auth/login",
    "auth/refresh",
    "auth/mfa/verify",
    "auth/register",
    "auth/verify-email",
    "auth/resend-verification",
    "auth/forgot-password",
    "auth/verify-reset-token/<str:token>",
    "auth/reset-password",
    "plans",
    "reasons",
    "invitations/<str:token>",
    "auth/google/start",
    "auth/google/callback",
    "auth/google/link",
    "auth/google/mail",
    "auth/session",
    "payments/paypal/webhook",
    "contact/send",
    "keys/leaked",
    "newsletter/subscribe",
    "newsletter/confirm",
    "newsletter/unsubscribe",
    "status",
    "status/history",
    "monitoring/health",
    "blog/posts",
    "blog/posts/<slug:slug>",
    "openapi.json",
    "try",
}


def file() -> SimpleUploadedFile:
    return SimpleUploadedFile("a.csv", LIVING.encode())


BODIES: dict[str, Callable[[], dict[str, Any]]] = {
    "user": lambda: {"data": {"email": "alice@alder.com", "password": "wrong-horse-42"}, "format": "json"},
    "user/profile": lambda: {"data": {"name": "Somebody"}, "format": "json"},
    "organisation/billing": lambda: {"data": {"company": "Alder & Ash"}, "format": "json"},
    "organisation/members/<int:member_id>/cap": lambda: {"data": {"monthly_cap": 5}, "format": "json"},
    "organisation/clients": lambda: {"data": {"name": "Shop"}, "format": "json"},
    METHOD: lambda: {"data": {"is_default": True}, "format": "json"},
    "organisation": lambda: {"data": {"name": "Somebody else"}, "format": "json"},
    MEMBER: lambda: {"data": {"role": "owner"}, "format": "json"},
    "organisation/invitations": lambda: {"data": {"email": "nora@nettle.org", "role": "member"}, "format": "json"},
    "user/onboarding": lambda: {"data": {"completed": True}, "format": "json"},
    "organisation/domains": lambda: {"data": {"name": "alder.com"}, "format": "json"},
    DOMAIN: lambda: {"data": {"google_required": False}, "format": "json"},
    "user/api-keys": lambda: {"data": {"name": "Shop"}, "format": "json"},
    "webhooks": lambda: {"data": {"url": HOOK_URL, "events": ["batch.completed"]}, "format": "json"},
    "user/webhooks": lambda: {"data": {"url": HOOK_URL, "events": ["batch.completed"]}, "format": "json"},
    "payments/paypal/create-order": lambda: {"data": {"package_id": "small"}, "format": "json"},
    AGREEMENT: lambda: {"data": {"plan_id": "pro", "billing_cycle": "monthly"}, "format": "json"},
    "analytics/usage": lambda: {"QUERY_STRING": "range=30d"},
    "analytics/advanced": lambda: {"QUERY_STRING": "range=30d"},
    "validate/single": lambda: {"data": {"email": LIVING}, "format": "json"},
    "validate/bulk": lambda: {"data": {"emails": [LIVING]}, "format": "json"},
    "validate/upload": lambda: {"data": {"file": file()}, "format": "multipart"},
    "validate/upload/inspect": lambda: {"data": {"file": file()}, "format": "multipart"},
    UPLOAD: lambda: {"data": {"has_header": False}, "format": "json"},
}
