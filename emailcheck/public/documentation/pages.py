"""The documentation for developers."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.targets import Service
from emailcheck.public.documentation import chapters, snippets
from emailcheck.public.page_frame import render_public_page
from emailcheck.public.status import STATES

LANGUAGE_COOKIE = "docs_language"
_LONGEST_QUERY = 100


@require_safe
def documentation_page(request: HttpRequest) -> HttpResponse:
    """Seven chapters, and what changes; `?lang=` chooses the language of the samples, `?q=` searches."""
    language = snippets.choose_language(request.GET.get("lang", ""), request.COOKIES.get(LANGUAGE_COOKIE, ""))
    query = request.GET.get("q", "").strip()[:_LONGEST_QUERY]
    found = chapters.load_chapters(language)
    context = {
        "chapters": found,
        "shown": chapters.match_anchors(found, query),
        "query": query,
        "language": language,
        "languages": snippets.LANGUAGES,
        "api": _load_api_state(),
    }
    return render_public_page(request, "documentation/page.html", context)


def _load_api_state() -> dict[str, str]:
    """The last measured state of the API, as `GET /api/status` answers it (DOC-010)."""
    services = status.measure_status()["services"]
    state = next(service["status"] for service in services if service["name"] == Service.API)
    word = state.capitalize() if state else status.NO_DATA
    return {"tone": STATES.get(state, "unknown"), "word": word}
