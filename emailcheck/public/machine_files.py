"""Files for search engines, home screens, and those who find a fault of security."""

from datetime import timedelta
from urllib.parse import urldefrag

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from emailcheck.public import legal
from emailcheck.public.blog import posts
from emailcheck.public.changelog import entries, pages
from emailcheck.public.page_frame import FOOTER

# What belongs to one account, is only for programs, or is reached by a link in a mail.
PRIVATE = (
    "/account-settings",
    "/admin",
    "/api/",
    "/dashboard",
    "/django-admin/",
    "/invitation",
    "/newsletter/",
    "/payments/",
    "/quotes/",
    "/reset-password",
    "/sandbox",
    "/switch",
    "/team",
    "/verify-email",
)
# Linked by an address that leads on to the page.
MOVED = {"/help": "/help-center"}
_REPORTS_FOR = timedelta(days=180)
_for_a_day = cache_control(public=True, max_age=86_400)


@require_safe
@_for_a_day
def robots_txt(request: HttpRequest) -> HttpResponse:
    """What search engines should skip, and where the list of pages is."""
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in PRIVATE),
        "",
        f"Sitemap: {settings.SITE_URL}/sitemap.xml",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@_for_a_day
def sitemap_xml(request: HttpRequest) -> HttpResponse:
    """Every public page, in the format of sitemaps.org."""
    changed = _list_changes()
    paths = dict.fromkeys([*list_public_paths(), *changed])
    found = format_html_join(
        "\n",
        "<url><loc>{}{}</loc>{}</url>",
        (
            (settings.SITE_URL, path, format_html("<lastmod>{}</lastmod>", changed[path]) if path in changed else "")
            for path in paths
        ),
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{found}\n</urlset>\n'
    )
    return HttpResponse(text, content_type="application/xml; charset=utf-8")


@require_safe
@_for_a_day
def security_txt(request: HttpRequest) -> HttpResponse:
    """Where to report a fault of security (RFC 9116); the answer is good for half a year from its day."""
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    lines = [
        f"Contact: mailto:{settings.SUPPORT_EMAIL}",
        f"Contact: {settings.SITE_URL}/contact",
        f"Expires: {today + _REPORTS_FOR:%Y-%m-%dT%H:%M:%SZ}",
        "Preferred-Languages: en",
        f"Canonical: {settings.SITE_URL}/.well-known/security.txt",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
@_for_a_day
def web_manifest(request: HttpRequest) -> HttpResponse:
    """Name and icons of the site on a home screen."""
    icons = [{"src": f"/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in (192, 512)]
    facts = {
        "name": settings.SITE_NAME,
        "short_name": settings.SITE_NAME,
        "start_url": "/",
        "display": "browser",
        "background_color": "#f6f7f9",
        "theme_color": "#17161a",
        "icons": icons,
    }
    return JsonResponse(facts, content_type="application/manifest+json")


def list_public_paths() -> list[str]:
    """The paths of all public pages but the articles: the homepage and what the footer leads to."""
    linked = (urldefrag(address).url for _, links in FOOTER for address, _ in links)
    return list(dict.fromkeys(["/", *(MOVED.get(path, path) for path in linked)]))


def _list_changes() -> dict[str, str]:
    """When the pages whose texts have a date were changed: a day, or a month where no day is known."""
    articles = posts.load_posts()
    released = entries.ENTRIES[0].date.isoformat()
    described = ("/documentation", "/api-docs", entries.PATH, pages.FEED_PATH)
    return (
        dict.fromkeys(described, released)
        | {path: policy.changed for path, policy in legal.POLICIES.items()}
        | {"/blog": articles[0].date.isoformat()}
        | {post.path: post.date.isoformat() for post in articles}
    )
