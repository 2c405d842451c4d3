"""What every mail looks like: grouped numbers, the app's colours, few buttons, and figures that agree."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.conf import settings

from emailcheck.common.outbound import mail
from emailcheck.common.outbound.mail import MailKind

LARGE = 1_234_567
COLOUR = re.compile(r"#[0-9a-f]{6}\b")
EVERY_MAIL = pytest.mark.parametrize("kind", mail.list_kinds(), ids=lambda kind: kind.name)


def write(name: str, context: Mapping[str, Any]) -> mail.RenderedMail:
    return mail.render_mail(name, "ida.holm@example.com", context)


@EVERY_MAIL
def test_numbers_are_grouped_in_subject_text_and_html(kind: MailKind) -> None:
    counts = {name for name, value in kind.example.items() if type(value) is int} - {"minutes", "invoice_years"}
    written = write(kind.name, {**kind.example, **dict.fromkeys(counts, LARGE)})
    for part in (written.subject, written.text, written.html):
        assert str(LARGE) not in part
    if counts:
        assert f"{LARGE:,}" in written.text
        assert f"{LARGE:,}" in written.html


@EVERY_MAIL
def test_a_mail_has_two_buttons_at_most_and_no_brace(kind: MailKind) -> None:
    written = write(kind.name, kind.example)
    assert written.html.count('<td class="button"') <= 1
    assert written.html.count('<td class="button second"') <= written.html.count('<td class="button"')
    assert "{" not in written.subject + written.text


def test_its_colours_are_those_of_the_app() -> None:
    tokens = (settings.BASE_DIR / "frontend" / "src" / "styles" / "tokens.css").read_text(encoding="utf-8")
    html = "".join(write(kind.name, kind.example).html for kind in mail.list_kinds())
    assert set(COLOUR.findall(html)) - set(COLOUR.findall(tokens)) == set()


def test_a_finished_list_that_waited_through_an_upgrade_is_still_told() -> None:
    example = next(kind.example for kind in mail.list_kinds() if kind.name == "batch_finished")
    before = {name: value for name, value in example.items() if name not in ("safe", "risky", "never")}
    written = write("batch_finished", before)
    assert "<h1>900 of 1,200 addresses are valid</h1>" in written.html
    for part in (written.html, written.text):
        assert ("Safe to send" in part, "Catch-all" in part) == (False, True)


@pytest.mark.spec("VAL-043")
def test_a_finished_list_tells_three_decisions_and_draws_a_bar_of_cells() -> None:
    counts = {"valid": 4_000, "catch_all": 150, "unknown": 50, "disposable": 1, "spam_trap": 0, "invalid": 799}
    context = {
        "filename": "spring.csv", "total": 5_000, "used": 4_950, "released": 50, "link": "https://example.com/",
        "safe": 4_102, "risky": 98, "never": 800,
    } | counts  # fmt: skip
    written = write("batch_finished", context)
    assert written.subject == "spring.csv is ready: 4,000 of 5,000 valid"
    assert "<h1>4,102 of 5,000 addresses are safe to send</h1>" in written.html
    for line in ("Safe to send: 4,102 (82.0%)", "Risky to send: 98 (1.9%)", "Do not send: 800 (16.0%)"):
        assert f"\n{line}\n" in written.text
    cells = re.findall(r'<td class="(\w+)" width="(\d+)%" height="12"', written.html)
    assert cells == [("valid", "80"), ("catch_all", "3"), ("unknown", "2"), ("disposable", "2"), ("invalid", "16")]


@pytest.mark.parametrize(
    ("safe", "total", "headline"),
    [
        (3, 3, "All 3 addresses are safe to send"),
        (1, 1, "1 of 1 address is safe to send"),
        (0, 2, "0 of 2 addresses are safe to send"),
        (1, 2, "1 of 2 addresses is safe to send"),
    ],
)
def test_the_headline_of_a_finished_list_is_a_sentence(safe: int, total: int, headline: str) -> None:
    example = next(kind.example for kind in mail.list_kinds() if kind.name == "batch_finished")
    text = write("batch_finished", {**example, "safe": safe, "total": total}).text
    assert f"\n{headline}\n" in text
    assert ("Its one address has been checked." in text) is (total == 1)
