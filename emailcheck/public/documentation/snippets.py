"""The samples of the documentation: files below `templates/documentation`, filled in and coloured.

A sample of code is a file for each language, a template first: `{{ site_url }}` is this installation, `{{ key }}` the
place of the reader's own test key, which no page holds: a script of the page puts it there.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name

KEY = "ec_test_YOUR_KEY"
_KEY_PLACE = f"<span data-key>{KEY}</span>"
_FOLDER = "documentation"
_SAMPLE_LEXERS = {".json": "json", ".txt": "text"}
_formatter = HtmlFormatter(nowrap=True)
# Few colours, so that a page of samples stays light: the class of a token by the beginning of Pygments' short name for
# it (keywords, names of JSON and options, comments, strings, numbers, functions); all others have none.
_COLOURS = {"k": "k", "nt": "k", "c": "c", "s": "s", "dl": "s", "m": "m", "nf": "f", "nb": "f", "nc": "f"}
_TOKEN = re.compile(r'<span class="(\w+)">(.*?)</span>', re.DOTALL)
_SEAM = re.compile(r'(<span class="c-\w">)([^<]*)</span>\1')


@dataclass(frozen=True, slots=True)
class Language:
    """A language of samples: how it is called, how its files end, and what colours it (a lexer of Pygments)."""

    id: str
    name: str
    suffix: str
    lexer: str


LANGUAGES = (
    Language("curl", "curl", "sh", "bash"),
    Language("python", "Python", "py", "python"),
    Language("javascript", "JavaScript", "mjs", "javascript"),
    Language("php", "PHP", "php", "php"),
    Language("go", "Go", "go", "go"),
    Language("ruby", "Ruby", "rb", "ruby"),
)


@dataclass(frozen=True, slots=True)
class Panel:
    """Code beside a text: what it is called, its language, and the code itself with colours."""

    name: str
    title: str
    language: str
    html: SafeString


def choose_language(*names: str) -> Language:
    """The first of these languages that there is, else curl."""
    known = {one.id: one for one in LANGUAGES}
    return next((known[name] for name in names if name in known), LANGUAGES[0])


def load_snippet(file: str, language: Language, *, name: str, title: str, values: Mapping[str, str]) -> Panel:
    """A sample of code in a language."""
    code = _fill_in_values(f"snippets/{file}.{language.suffix}", values)
    return Panel(name, title, language.name, _highlight_code(code, language.lexer))


def load_sample(file: str, *, title: str) -> Panel:
    """What is no code: an answer, a header, an address."""
    return Panel(
        file, title, "", _highlight_code(_fill_in_values(f"samples/{file}", {}), _SAMPLE_LEXERS[PurePath(file).suffix])
    )


def load_message(name: str, body: str, *, title: str) -> Panel:
    """A message in JSON, laid out for reading."""
    return Panel(name, title, "", _highlight_code(json.dumps(json.loads(body), indent=2), "json"))


def _fill_in_values(file: str, values: Mapping[str, str]) -> str:
    known = {"site_url": settings.SITE_URL, "key": KEY, **values}
    return render_to_string(f"{_FOLDER}/{file}", known, using="text")


def _highlight_code(code: str, lexer: str) -> SafeString:
    """The code as HTML, inert, with classes for its colours."""
    html: str = _TOKEN.sub(_highlight_token, highlight(code, get_lexer_by_name(lexer), _formatter))
    return mark_safe(_join_tokens(html).replace(KEY, _KEY_PLACE))


def _join_tokens(html: str) -> str:
    """Neighbours of one colour are one."""
    joined = _SEAM.sub(r"\1\2", html)
    return html if joined == html else _join_tokens(joined)


def _highlight_token(token: re.Match[str]) -> str:
    name, text = token.groups()
    colour = _COLOURS.get(name[:2]) or _COLOURS.get(name[:1])
    return f'<span class="c-{colour}">{text}</span>' if colour else text
