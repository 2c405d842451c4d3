"""Texts in templates: Markdown inside a line, and what is made of a name."""

from django import template
from django.utils.safestring import SafeString

from emailcheck.common.text import markdown

register = template.Library()


@register.filter
def inline(text: str) -> SafeString:
    """`code` and links of our own text."""
    return markdown.render_inline(text)


@register.filter
def initials(name: str) -> str:
    """The first letters of the first and the last word of a name, as `ui/avatar.tsx` makes them."""
    words = name.split()
    ends = [words[0], words[-1]] if len(words) > 1 else words
    return "".join(word[0].upper() for word in ends) or "?"
