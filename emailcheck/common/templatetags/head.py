"""What machines read in the head of a public page: its address, its card for social networks, facts about us."""

import json
from typing import Any

from django import template
from django.conf import settings
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

CARD = "/social-card.png"
CARD_SIZE = (1200, 630)
_SAFE_IN_A_SCRIPT = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@register.simple_tag(takes_context=True)
def social_head(context: template.Context, kind: str = "website", image: str = CARD) -> SafeString:
    """The canonical address, and the card with which other sites show links to this page.

    Title and description are those of the page's blocks; `kind` is a type of ogp.me, `image` a path of the site.
    """
    address = f"{settings.SITE_URL}{context['request'].path}"
    width, height = CARD_SIZE
    facts: list[tuple[str, str, object]] = [
        ("property", "og:type", kind),
        ("property", "og:site_name", settings.SITE_NAME),
        ("property", "og:title", _script_block(context, "title")),
        ("property", "og:description", _script_block(context, "description")),
        ("property", "og:url", address),
        ("property", "og:image", f"{settings.SITE_URL}{image}"),
        ("property", "og:image:width", width),
        ("property", "og:image:height", height),
        ("property", "og:image:alt", f"{settings.SITE_NAME}: check email addresses before you send"),
        ("name", "twitter:card", "summary_large_image"),
    ]
    return format_html(
        '<link rel="canonical" href="{}">\n{}', address, format_html_join("\n", '<meta {}="{}" content="{}">', facts)
    )


@register.simple_tag
def json_ld(facts: dict[str, Any]) -> SafeString:
    """Facts in the vocabulary of schema.org. A block of data: no script policy has to allow it."""
    text = json.dumps({"@context": "https://schema.org", **facts}).translate(_SAFE_IN_A_SCRIPT)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # escaped for a script


def _script_block(context: template.Context, name: str) -> SafeString:
    """What the page put into a block, once more."""
    block = context.render_context[BLOCK_CONTEXT_KEY].get_block(name)
    return mark_safe(" ".join(block.render(context).split()))  # rendered, and so escaped, by the page
