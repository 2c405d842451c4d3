"""Markdown inside a line, in templates."""

from django import template
from django.utils.safestring import SafeString

from emailcheck.common.text import markdown

register = template.Library()


@register.filter
def inline(text: str) -> SafeString:
    """`code` and links of our own text."""
    return markdown.render_inline(text)
