"""The policies: which data is stored, what both sides agree to, when payments are refunded."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from billing.refunds.guarantee import GUARANTEE
from crm.claims import services as claims
from crm.messages import contact
from emailcheck.common.text.check_costs import UNKNOWN_COSTS
from emailcheck.common.text.markdown import render_sections
from emailcheck.public.page_frame import render_public_page
from emailcheck.public.responsive_tables import label_cells


@dataclass(frozen=True, slots=True)
class Policy:
    """A text below `templates/pages`, from when it is, and what it comes down to.

    `changed` is the month of the last change, for search engines.
    """

    title: str
    text: str
    purpose: str
    since: str
    changed: str
    short: tuple[str, ...]
    added: str = ""
    # Anchors of the parts that came with `added`.
    additions: frozenset[str] = frozenset()


PRIVACY = Policy(
    title="Privacy policy",
    text="pages/privacy.md",
    purpose="What we know about you and about the addresses you check, for how long, and who else sees it.",
    since="Last updated December 2024",
    changed="2026-11",
    short=(
        "The addresses you check are yours: we use them to check them, and for nothing else.",
        "Uploads are deleted after 30 days and results after 12 months, or sooner if you choose.",
        "You can export or delete everything yourself, in your settings.",
        "No script of another company runs before you agree to it.",
    ),
    added="additions of November 2026 are marked",
    additions=frozenset({"retention", "processors", "kept", "logs", "cookies"}),
)
TERMS = Policy(
    title="Terms of service",
    text="pages/terms.md",
    purpose="What you may expect from us, what we expect from you, and how payment works.",
    since="Effective January 2025",
    changed="2025-01",
    short=(
        "Check addresses that you may contact, not addresses that you guess or scrape.",
        UNKNOWN_COSTS,
        "Plans renew until you cancel; credit packs never expire.",
        "First-time subscribers get their money back within 30 days.",
    ),
)
REFUNDS = Policy(
    title="Refund policy",
    text="pages/refund-policy.md",
    purpose="When you get your money back, how to ask for it, and how long each step takes.",
    since="Effective January 2025",
    changed="2025-01",
    short=(
        "First subscription: the full amount back within 30 days, no reason needed.",
        "Any other case: no partial refunds.",
    ),
)
POLICIES = {"/privacy": PRIVACY, "/terms": TERMS, "/refund-policy": REFUNDS}
# Business days of each step, and what they count from.
STEPS = (
    ("Review", "1-2 business days", "We look at your request and at the payment it is about."),
    ("Approval", "within 3 business days", "You get a mail that says yes, or why not."),
    ("Processing", "3-5 business days after approval", "We hand the money back to the payment provider."),
    ("Arrival", "5-10 business days after approval", "It is in your account; how soon depends on the bank."),
)


@require_safe
def privacy_policy(request: HttpRequest) -> HttpResponse:
    """Which data is stored, for how long, and who receives it."""
    values = {
        "activity_days": settings.ACTIVITY_DAYS,
        "invoice_years": settings.INVOICE_BUYER_YEARS,
        "backups_kept": settings.BACKUPS_KEPT,
        "claims": claims.list_public_values(),
        "message_days": contact.RETENTION.days,
    }
    return _render_policy(request, PRIVACY, values)


@require_safe
def terms_of_service(request: HttpRequest) -> HttpResponse:
    """What both sides agree to."""
    return _render_policy(request, TERMS, {"guarantee_days": GUARANTEE.days})


@require_safe
def refund_policy(request: HttpRequest) -> HttpResponse:
    """When money goes back, and how to ask for it."""
    return _render_policy(
        request, REFUNDS, {"guarantee_days": GUARANTEE.days}, "public/refund_policy.html", steps=STEPS
    )


def _render_policy(
    request: HttpRequest,
    policy: Policy,
    values: dict[str, object],
    template: str = "public/policy.html",
    **more: Any,
) -> HttpResponse:
    parts = [replace(part, html=label_cells(part.html)) for part in render_sections(policy.text, values)]
    context = {"policy": policy, "parts": parts, "legal_email": settings.LEGAL_EMAIL}
    return render_public_page(request, template, context | more)
