"""The one door through which pages load bundles and mount React islands."""

import json
import re
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from django import template
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.template.base import FilterExpression, Node, NodeList, Parser, Token, token_kwargs
from django.utils.html import format_html, format_html_join, json_script
from django.utils.safestring import SafeString

register = template.Library()

WHEN = ("load", "visible", "press")
COUNTER = "islands"
KEYWORD = re.compile(r"\w+=")


class UnknownIsland(template.TemplateSyntaxError):
    """A page names an island that the build does not have."""


@lru_cache(maxsize=1)
def _parse_arguments(path: Path, _mtime_ns: int) -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return manifest


def read_manifest() -> dict[str, Any]:
    """The front end's manifest, parsed once for each time it is written.

    Raises ImproperlyConfigured when the front end has not been built.
    """
    path = Path(settings.FRONTEND_DIST) / "manifest.json"
    try:
        return _parse_arguments(path, path.stat().st_mtime_ns)
    except FileNotFoundError as error:
        raise ImproperlyConfigured(f"{path} is missing: run `npm run build` in frontend/") from error


def _island_files(name: str) -> list[str]:
    islands: dict[str, list[str]] = read_manifest()["islands"]
    if name not in islands:
        raise UnknownIsland(f"There is no island {name!r}; known: {', '.join(sorted(islands))}")
    return islands[name]


def _static_url(file: str) -> str:
    return f"{settings.STATIC_URL}{file}"


@register.simple_tag(takes_context=True)
def bundle_head(context: template.Context, *names: str, sheet: str = "app") -> SafeString:
    """Font, stylesheet and loader with all that it imports, so that none of it waits for another.

    `names` are the islands above the fold, whose code is fetched early too; empty ones are left out.
    `sheet` is `app` for the pages behind the sign-in, `public` or `public-…` for those before it, which do not wait for
    what only islands need.
    """
    manifest = read_manifest()
    nonce = str(context["request"].csp_nonce)
    loader, *imported = manifest["script"]
    early = dict.fromkeys([*imported, *(file for name in names if name for file in _island_files(name))])
    preloads = format_html_join(
        "\n",
        '<link rel="modulepreload" href="{}" fetchpriority="low" nonce="{}">',
        ((_static_url(file), nonce) for file in early),
    )
    font = '<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>\n'
    sheets = manifest["sheets"]
    return format_html(
        '{}<link rel="stylesheet" href="{}"{}>\n{}\n<script type="module" nonce="{}" src="{}"></script>',
        format_html(font, _static_url(manifest["font"])),
        _static_url(sheets[sheet]),
        "" if sheet == "app" else format_html(' data-islands="{}"', _static_url(sheets["islands"])),
        preloads,
        nonce,
        _static_url(loader),
    )


class IslandNode(Node):
    """An element for the loader to fill, its props beside it as JSON, and what is shown until then."""

    def __init__(
        self,
        name: FilterExpression,
        props: FilterExpression | None,
        named: dict[str, FilterExpression],
        fallback: NodeList,
    ) -> None:
        self.name = name
        self.props = props
        self.named = named
        self.nodelist = fallback

    def render(self, context: template.Context) -> SafeString:
        """HTML of the island; raises UnknownIsland for a name that the build does not have."""
        name = str(self.name.resolve(context))
        _island_files(name)
        named = {key: value.resolve(context) for key, value in self.named.items()}
        when = str(named.pop("when", "load"))
        if when not in WHEN:
            raise template.TemplateSyntaxError(f"when={when!r}: use one of {', '.join(WHEN)}")
        props = {**(self.props.resolve(context) if self.props else {}), **named}
        # A template renders its nodes in order, so a counter in the render context gives stable ids.
        number = int(context.render_context.get(COUNTER) or 0) + 1
        context.render_context[COUNTER] = number
        element_id = f"island-{name}-{number}"
        return format_html(
            '<div data-island="{}" data-when="{}" data-props="{}">{}</div>{}',
            name,
            when,
            element_id,
            self.nodelist.render(context),
            json_script(props, element_id),
        )


@register.tag
def island(parser: Parser, token: Token) -> IslandNode:
    """`{% island "name" props key=value when="load|visible|press" %}fallback{% endisland %}`.

    Props come as one dict, as keywords, or both; `when` may be left out. With `press` the island
    waits until an element with `data-opens="name"` is pressed.
    """
    tag, *bits = token.split_contents()
    positional = list(takewhile(lambda bit: not KEYWORD.match(bit), bits))
    named = token_kwargs(rest := bits[len(positional) :], parser)
    if rest or not 1 <= len(positional) <= 2:
        raise template.TemplateSyntaxError(f"{tag} takes a name, optional props, then key=value")
    fallback = parser.parse(("endisland",))
    parser.delete_first_token()
    name, *props = (parser.compile_filter(bit) for bit in positional)
    return IslandNode(name, props[0] if props else None, named, fallback)
