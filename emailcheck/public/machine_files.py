"""Files for search engines and home screens."""

from urllib.parse import urldefrag

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.html import format_html_join
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from emailcheck.public.blog import posts
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
    site, articles = settings.SITE_URL, posts.load_posts()
    found = format_html_join("\n", "<url><loc>{}{}</loc></url>", ((site, path) for path in list_public_paths()))
    found += format_html_join(
        "\n",
        "<url><loc>{}{}</loc><lastmod>{}</lastmod></url>",
        ((site, post.path, post.date.isoformat()) for post in articles),
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{found}\n</urlset>\n'
    )
    return HttpResponse(text, content_type="application/xml; charset=utf-8")


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
