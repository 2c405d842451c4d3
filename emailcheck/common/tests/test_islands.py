"""The template tags that load bundles and mount islands."""

import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.template import Context, Template, TemplateSyntaxError
from pytest_django import Settings

MANIFEST = {
    "script": ["main-AAAAAAAA.js", "chunk-SHARED00.js"],
    "sheets": {"app": "app-BBBBBBBB.css", "public": "public-BBBBBBBB.css", "islands": "islands-BBBBBBBB.css"},
    "font": "inter-CCCCCCCC.woff2",
    "islands": {
        "validate": ["validate-DDDDDDDD.js", "chunk-REACT000.js"],
        "history": ["history-EEEEEEEE.js", "chunk-REACT000.js"],
    },
}


@pytest.fixture(autouse=True)
def dist(tmp_path: Path, settings: Settings) -> Path:
    """A built front end with two islands."""
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST), encoding="utf-8")
    settings.FRONTEND_DIST = tmp_path
    return tmp_path


def render(source: str, **values: object) -> str:
    context = Context({"request": SimpleNamespace(csp_nonce="n0nce"), **values})
    return Template("{% load islands %}" + source).render(context)


def test_head_loads_font_style_and_script_with_the_nonce() -> None:
    assert render("{% bundle_head %}") == (
        '<link rel="preload" href="/static/inter-CCCCCCCC.woff2" as="font" type="font/woff2" crossorigin>\n'
        '<link rel="stylesheet" href="/static/app-BBBBBBBB.css">\n'
        '<link rel="modulepreload" href="/static/chunk-SHARED00.js" fetchpriority="low" nonce="n0nce">\n'
        '<script type="module" nonce="n0nce" src="/static/main-AAAAAAAA.js"></script>'
    )


def test_a_page_names_its_stylesheet() -> None:
    html = render('{% bundle_head sheet="public" %}')
    sheets = re.findall(r'stylesheet" href="([^"]+)" data-islands="([^"]+)">', html)
    assert sheets == [("/static/public-BBBBBBBB.css", "/static/islands-BBBBBBBB.css")]


def test_head_preloads_each_file_of_the_named_islands_once() -> None:
    preloaded = re.findall(r'modulepreload" href="([^"]+)"', render('{% bundle_head "validate" "history" %}'))
    assert preloaded == [
        "/static/chunk-SHARED00.js",
        "/static/validate-DDDDDDDD.js",
        "/static/chunk-REACT000.js",
        "/static/history-EEEEEEEE.js",
    ]


def test_island_shows_the_fallback_and_carries_props_as_json() -> None:
    html = render('{% island "validate" props %}<p>Loading</p>{% endisland %}', props={"tab": "validate"})
    assert html == (
        '<div data-island="validate" data-when="load" data-props="island-validate-1"><p>Loading</p></div>'
        '<script id="island-validate-1" type="application/json">{"tab": "validate"}</script>'
    )


def test_props_may_be_given_by_keyword_too() -> None:
    html = render('{% island "validate" props batch_id=id when="press" %}{% endisland %}', props={"a": 1}, id=7)
    assert html == (
        '<div data-island="validate" data-when="press" data-props="island-validate-1"></div>'
        '<script id="island-validate-1" type="application/json">{"a": 1, "batch_id": 7}</script>'
    )


def test_props_cannot_leave_their_script_element() -> None:
    html = render('{% island "validate" props %}{% endisland %}', props={"name": "</script><b>&"})
    assert html.count("</script>") == 1
    body = re.search(r">(\{.*\})</script>", html)
    assert body is not None
    assert json.loads(body[1]) == {"name": "</script><b>&"}


def test_two_islands_of_a_page_have_different_props() -> None:
    html = render(
        '{% island "history" first %}{% endisland %}{% island "history" second when="visible" %}{% endisland %}',
        first={"n": 1},
        second={"n": 2},
    )
    assert re.findall(r'data-when="(\w+)" data-props="([\w-]+)"', html) == [
        ("load", "island-history-1"),
        ("visible", "island-history-2"),
    ]
    assert re.findall(r'id="([\w-]+)" type="application/json">([^<]+)<', html) == [
        ("island-history-1", '{"n": 1}'),
        ("island-history-2", '{"n": 2}'),
    ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('{% island "nowhere" %}{% endisland %}', "There is no island 'nowhere'; known: history, validate"),
        ('{% bundle_head "nowhere" %}', "There is no island 'nowhere'; known: history, validate"),
        ('{% island "history" when="never" %}{% endisland %}', "when='never': use one of load, visible"),
        ('{% island "history" when="load" props %}{% endisland %}', "island takes a name"),
        ("{% island %}{% endisland %}", "island takes a name, optional props, then key=value"),
    ],
)
def test_mistakes_fail_at_once(source: str, message: str) -> None:
    with pytest.raises(TemplateSyntaxError, match=re.escape(message)):
        render(source)


def test_a_new_build_is_seen_without_a_restart(dist: Path) -> None:
    render("{% bundle_head %}")
    path = dist / "manifest.json"
    path.write_text(json.dumps({**MANIFEST, "sheets": {"app": "app-NEWNEW00.css"}}), encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert "/static/app-NEWNEW00.css" in render("{% bundle_head %}")


def test_a_missing_build_says_what_to_do(dist: Path) -> None:
    (dist / "manifest.json").unlink()
    with pytest.raises(ImproperlyConfigured, match="run `npm run build` in frontend/"):
        render("{% bundle_head %}")
