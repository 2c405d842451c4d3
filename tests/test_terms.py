"""What the words of verdicts mean: the same in the glossary, in the islands, on the help page, and in reasons."""

import re

import pytest
from django.conf import settings
from django.test import Client

from emailcheck.common.templatetags.terms import load_terms
from validation.engine import Reason
from validation.results.reasons.texts import explain_reason

GLOSSARY = settings.BASE_DIR / "docs/glossary.md"
SOURCES = settings.BASE_DIR / "frontend/src"
# What a reason of the server and the explanation of a word have in common.
SHARED = [
    (Reason.ACCEPTS_ALL, "catch_all", "accepts every name"),
    (Reason.GREYLISTED, "come_back_later", "unknown senders to come back later"),
    (Reason.DISPOSABLE_DOMAIN, "disposable", "throw-away mailbox"),
    (Reason.KNOWN_TRAP, "spam_trap", "spam trap"),
]


def test_the_glossary_says_what_the_pages_say() -> None:
    table = GLOSSARY.read_text(encoding="utf-8").split("## Words for customers")[1]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    assert [tuple(row[:3]) for row in rows] == list(load_terms().values())
    assert all(len(row) == 4 and row[3] for row in rows)


def test_every_explained_word_has_a_place_and_every_place_its_word() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in SOURCES.rglob("*.tsx"))
    code += (SOURCES / "features/validation/results/result-labels.ts").read_text(encoding="utf-8")
    named = set(re.findall(r'<Term(?:Fact)? name="(\w+)"', code)) | set(re.findall(r'\bterm="(\w+)"', code))
    named |= set(re.findall(r'check(?:Positive|Negative)\(\s*"(\w+)"', code))
    computed = {"valid", "invalid", "catch_all", "unknown", "disposable", "spam_trap"}  # by the category of a result
    computed |= {"safe", "risky", "do_not_send"}  # by the decision of a step
    computed |= {"full_checks", "basic_checks"}  # by the checks of a result
    assert named | computed == set(load_terms())


def test_explanations_are_short_plain_and_no_markup() -> None:
    for name, (word, meaning, example) in load_terms().items():
        assert len(meaning) <= 160, name
        assert len(re.findall(r"[.!?](?: |$)", meaning)) <= 2, name
        assert example.endswith((".", "”")), name
        assert not re.search(r"[<>&*_`|]", word + meaning + example), name


@pytest.mark.parametrize(("reason", "name", "words"), SHARED)
def test_reasons_and_words_are_explained_alike(reason: str, name: str, words: str) -> None:
    term = load_terms()[name]
    assert words in explain_reason(reason)
    assert words in f"{term.word} {term.meaning}".replace("Spam", "spam")


@pytest.mark.django_db
def test_the_help_center_lists_every_word(client: Client) -> None:
    page = client.get("/help-center").content.decode()
    answer = re.search(r'id="words".*?</ul>', page, re.DOTALL)
    assert answer
    assert re.findall(r"<strong>(.+?)</strong>: (.+?) <em>For example:</em> (.+?)</li>", answer[0]) == [
        (word, meaning, example) for word, meaning, example in load_terms().values()
    ]
    assert 'href="/help-center#words"' in client.get("/").content.decode()


def test_the_mail_about_a_finished_list_uses_these_words() -> None:
    mail = (settings.BASE_DIR / "templates/emails/batch_finished/body.html").read_text(encoding="utf-8")
    words = set(re.findall(r' word="([^"]+)"', mail))
    assert words <= {term.word for term in load_terms().values()}
    assert len(words) == 9
