"""Who we are and what we claim; and what EmailCheck works together with."""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from crm.claims import services as claims
from emailcheck.public.page_frame import render_public_page
from emailcheck.public.reference.reach import describe_reach

# Claims in the order of the page, with the caption of the value; promises come last.
FIGURES = (
    ("accuracy", "accuracy of the verdicts"),
    ("steps", "verification steps"),
    ("businesses", "businesses"),
    ("emails", "emails verified"),
    ("uptime", "uptime"),
    ("speed", "for a real-time check"),
    ("throughput", "emails per hour in lists"),
)
PROMISES = ("gdpr", "ccpa", "soc2", "no_card")


def describe_organization() -> dict[str, Any]:
    """The company in the vocabulary of schema.org."""
    return {
        "@type": "Organization",
        "name": settings.SITE_NAME,
        "url": settings.SITE_URL,
        "logo": f"{settings.SITE_URL}/icon-512.png",
        "contactPoint": {"@type": "ContactPoint", "contactType": "customer support", "email": settings.SUPPORT_EMAIL},
    }


def list_figures(known: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """The figures that may be shown: key, value, and caption."""
    return [(key, known[key], words) for key, words in FIGURES if key in known]


@require_safe
def about_page(request: HttpRequest) -> HttpResponse:
    """Mission, what is different, story, vision, and the claims that may be shown."""
    known = claims.list_public_values()
    context = {
        "figures": list_figures(known),
        "promises": [known[key] for key in PROMISES if key in known],
        "accuracy": known.get("accuracy", ""),
        "organization": describe_organization(),
        "reach": describe_reach(),
    }
    return render_public_page(request, "public/about.html", context)


@require_safe
def integrations_page(request: HttpRequest) -> HttpResponse:
    """The ways to connect EmailCheck with other software."""
    return render_public_page(request, "public/integrations.html", {"reach": describe_reach()})
