"""Which addresses there are, and what becomes of all others."""

import json
import re
from io import BytesIO
from typing import Any

import pytest
from django.test import Client, RequestFactory
from PIL import Image

from accounts.users.models import User
from conftest import browser_of
from emailcheck.common.web.smtp_replies import quote_reply
from emailcheck.public import errors, machine_files
from emailcheck.public.blog import posts

ICONS = {
    "/favicon.ico": ("ICO", (32, 32)),
    "/apple-touch-icon.png": ("PNG", (180, 180)),
    "/icon-192.png": ("PNG", (192, 192)),
    "/icon-512.png": ("PNG", (512, 512)),
    "/social-card.png": ("PNG", (1200, 630)),
}


def fetch(client: Client, path: str) -> tuple[str, bytes]:
    """Type and content of a file."""
    answer: Any = client.get(path)
    content = b"".join(answer)
    answer.close()
    return answer["Content-Type"], content


@pytest.mark.spec("PUB-021", "PUB-026")
@pytest.mark.parametrize(
    "path", ["/", "/reset-password", "/verify-email", "/contact", "/about", "/documentation", "/privacy", "/terms",
             "/refund-policy", "/integrations", "/admin"]
)  # fmt: skip
def test_a_visitor_may_open_it(db: None, client: Client, path: str) -> None:
    assert client.get(path).status_code == 200
    assert client.head(path).status_code == 200


@pytest.mark.spec("PUB-021", "PUB-022")
@pytest.mark.parametrize("path", ["/dashboard", "/account-settings", "/dashboard/result/1", "/team", "/switch"])
def test_a_visitor_without_a_login_goes_to_the_homepage(db: None, client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.spec("PUB-022")
@pytest.mark.parametrize("path", ["/nowhere", "/some/deep/path", "/Privacy", "/staticky", "/apis", "/%20", "/ümlaut"])
def test_any_other_page_leads_to_the_homepage(db: None, client: Client, path: str) -> None:
    answer = client.get(path, {"next": "https://elsewhere.example"})
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.spec("PUB-022")
@pytest.mark.parametrize("path", ["/dashboard/nothing", "/privacy/cookies", "/about/team", "/quotes/q/nothing"])
def test_below_a_known_address_there_is_a_404_page(db: None, client: Client, path: str) -> None:
    answer = client.get(path)
    page = answer.content.decode()
    assert answer.status_code == 404
    assert "<h1>There is no such page</h1>" in page
    assert f"<blockquote>550 5.1.1 &lt;{path}&gt;: no such page here</blockquote>" in page
    assert '<a class="button button-primary" href="/">Go to the homepage</a>' in page
    assert '<meta name="robots" content="noindex">' in page
    assert 'rel="canonical"' not in page


def test_the_quoted_address_is_inert_and_not_endless(db: None, client: Client) -> None:
    page = client.get('/privacy/"><script>alert(1)</script>' + "x" * 500).content.decode()
    assert "550 5.1.1 &lt;/privacy/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;xxx" in page
    assert ("x" * 241 in page, "xxx…</blockquote>" in page) == (False, True)


@pytest.mark.parametrize(
    ("status", "reply"),
    [
        (403, "550 5.7.1 </a>: not permitted"),
        (418, "550 5.0.0 </a>: refused"),
        (503, "421 4.3.2 </a>: not accepting requests now, try again"),
        (599, "451 4.3.0 </a>: error on our side, try again"),
    ],
)
def test_an_error_is_quoted_as_mail_servers_word_it(status: int, reply: str) -> None:
    assert quote_reply(status, "/a") == reply


@pytest.mark.spec("PUB-022")
def test_somebody_elses_page_is_the_same_404_page(alice: User) -> None:
    answer = browser_of(alice).get("/dashboard/batch/bat_nothing")
    assert (answer.status_code, "There is no such page" in answer.content.decode()) == (404, True)


@pytest.mark.spec("PUB-022", "PUB-025")
@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_what_writes_is_not_led_anywhere(db: None, client: Client, method: str) -> None:
    assert getattr(client, method)("/nowhere").status_code == 404


@pytest.mark.spec("PUB-025")
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
@pytest.mark.parametrize("path", ["/api", "/api/", "/api/nothing", "/api/v1/nothing", "/api/nothing.json"])
def test_an_unknown_call_is_a_json_404(db: None, path: str, method: str) -> None:
    answer = getattr(Client(enforce_csrf_checks=True), method)(path)
    assert (answer.status_code, answer["Content-Type"], answer.json()["code"]) == (404, "application/json", "NOT_FOUND")


def test_a_form_without_its_secret_is_refused_in_our_words(db: None) -> None:
    answer = Client(enforce_csrf_checks=True).post("/", {"email": "wes@willow.org"})
    page = answer.content.decode()
    assert (answer.status_code, "This form could not be sent" in page, "CSRF" in page) == (403, True, False)


@pytest.mark.spec("PUB-025")
@pytest.mark.parametrize(
    "path", ["/static/nothing.js", "/static/x/nothing", "/media/a/list.csv", "/media/x", "/wp-login.php", "/.env"]
)
def test_a_file_that_is_not_there_is_not_found(db: None, client: Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.content) == (404, b"Not found\n")


@pytest.mark.parametrize(
    ("path", "meant"), [("/about/", "/about"), ("/contact//", "/contact"), ("/django-admin", "/django-admin/")]
)
def test_a_slash_too_many_or_too_few_is_put_right(db: None, client: Client, path: str, meant: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer["Location"]) == (301, meant)


@pytest.mark.parametrize("path", ["//elsewhere.example/", "//elsewhere/..", "/\\elsewhere", "//about/"])
def test_nobody_is_led_to_another_site(db: None, client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.get("Location", "/") == "/"


@pytest.mark.spec("PUB-025")
def test_a_page_that_fails_names_its_reference_and_no_detail(db: None, settings: Any, tmp_path: Any) -> None:
    settings.FRONTEND_DIST = tmp_path  # without a bundle no page can be made
    client = Client(raise_request_exception=False)
    client.cookies["theme"] = "dark"
    answer = client.get("/about", headers={"X-Request-Id": "trace-1234"})
    page = answer.content.decode()
    assert answer.status_code == 500
    assert "<h1>Something went wrong</h1>" in page
    assert "<code>trace-1234</code>" in page
    assert "<blockquote>451 4.3.0 &lt;this page&gt;: error on our side, try again</blockquote>" in page
    assert 'href="">Try again</a>' in page
    assert '<html lang="en" data-theme="dark">' in page
    assert "manifest" not in page
    nonce = re.search(r'<style nonce="([^"]+)">', page)
    assert nonce
    assert f"'nonce-{nonce[1]}'" in answer["Content-Security-Policy"]


@pytest.mark.spec("PUB-025")
def test_the_500_page_asks_neither_database_nor_session(rf: RequestFactory) -> None:
    answer = errors.server_error(rf.get("/about"))  # pytest-django lets nothing through to the database here
    assert (answer.status_code, "Something went wrong" in answer.content.decode()) == (500, True)
    call = errors.server_error(rf.get("/api/auth/me"))
    assert (call.status_code, json.loads(call.content)["code"]) == (500, "INTERNAL_ERROR")


def test_a_host_that_is_not_ours_is_refused_on_a_page_of_ours(db: None) -> None:
    answer = Client(raise_request_exception=False).get("/about", headers={"Host": "elsewhere.example"})
    assert (answer.status_code, "This request could not be read" in answer.content.decode()) == (400, True)


@pytest.mark.finding("G6")
def test_search_engines_are_told_what_there_is(db: None, client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://check.example"
    robots = client.get("/robots.txt")
    assert (robots["Content-Type"], robots["Cache-Control"]) == ("text/plain; charset=utf-8", "public, max-age=86400")
    assert "Disallow: /dashboard\n" in robots.content.decode()
    assert robots.content.decode().endswith("\nSitemap: https://check.example/sitemap.xml\n")
    site = client.get("/sitemap.xml")
    assert site["Content-Type"] == "application/xml; charset=utf-8"
    places = re.findall("<loc>(.*?)</loc>", site.content.decode())
    wanted = ["/", "/about", "/terms", "/contact", "/blog", *(post.path for post in posts.load_posts())]
    assert {f"https://check.example{path}" for path in wanted} <= set(places)
    dated = dict(re.findall("<loc>https://check.example(.*?)</loc><lastmod>(.*?)</lastmod>", site.content.decode()))
    assert len(dated) > len(places) / 2
    assert {dated[path] for path in ("/documentation", "/api-docs", "/changelog", "/changelog.atom")} == {"2026-11-28"}
    assert dated["/blog"] == posts.load_posts()[0].date.isoformat()
    assert (dated["/terms"], dated["/privacy"]) == ("2025-01", "2026-11")
    assert len(places) == len(set(places))
    assert not [
        place for place in places if place.removeprefix("https://check.example").startswith(machine_files.PRIVATE)
    ]


@pytest.mark.parametrize("path", machine_files.list_public_paths())
def test_every_page_that_search_engines_are_told_of_is_there(db: None, client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    assert page.count("<h1") == 1
    assert page.count('rel="canonical"') == 1


@pytest.mark.parametrize(("path", "icon"), ICONS.items())
def test_there_are_icons(db: None, client: Client, path: str, icon: tuple[str, tuple[int, int]]) -> None:
    _, content = fetch(client, path)
    picture = Image.open(BytesIO(content))
    assert (picture.format, picture.size) == icon
    assert len(content) < 60_000


def test_the_manifest_names_icons_that_are_there(db: None, client: Client) -> None:
    kind, content = fetch(client, "/site.webmanifest")
    manifest = json.loads(content)
    assert (kind, manifest["name"], manifest["start_url"]) == ("application/manifest+json", "EmailCheck", "/")
    assert {fetch(client, icon["src"])[0] for icon in manifest["icons"]} == {"image/png"}
    assert fetch(client, "/favicon.svg")[0] == "image/svg+xml"


def test_a_link_to_a_page_is_shown_with_its_own_words(db: None, client: Client, settings: Any) -> None:
    settings.SITE_URL = "https://check.example"
    page = client.get("/terms?utm_source=x").content.decode()
    assert '<link rel="canonical" href="https://check.example/terms">' in page
    assert '<meta property="og:title" content="Terms of service · EmailCheck">' in page
    (described,) = re.findall(r'<meta name="description" content="([^"]+)">', page)
    assert f'<meta property="og:description" content="{described}">' in page
    assert '<meta property="og:image" content="https://check.example/social-card.png">' in page
    titles = {re.findall("<title>(.*?)</title>", client.get(path).content.decode())[0] for path in ("/", "/about")}
    assert len(titles) == 2


def test_facts_about_us_cannot_leave_their_script(db: None, client: Client, settings: Any) -> None:
    settings.SUPPORT_EMAIL = "</script><b>@check.example"
    page = client.get("/about").content.decode()
    (facts,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page)
    assert json.loads(facts)["contactPoint"]["email"] == "</script><b>@check.example"


@pytest.mark.spec("PUB-023")
def test_pages_of_islands_say_that_they_load_and_others_need_not(alice: User, sam: User, client: Client) -> None:
    for path in ("/dashboard", "/account-settings"):
        assert re.search(r'<p class="page-loading" role="status">Loading', browser_of(alice).get(path).content.decode())
    assert '<p class="page-loading" role="status">Loading...</p>' in browser_of(sam).get("/admin").content.decode()
    assert "Loading" not in client.get("/about").content.decode()
