"""What a verdict becomes when outside providers were asked: every combination of sources."""

import pytest

from validation.engine import Category, Flag, Reason
from validation.engine.verdict.verdicts import is_undecided
from validation.providers import routing
from validation.providers.routing import is_settled, judge_answers
from validation.results.packed_verdicts import pack_verdict, unpack_verdicts
from validation.tests.outside import left, said

ZB, NB = "zerobounce", "neverbounce"


@pytest.mark.spec("ADM-608")
@pytest.mark.parametrize(
    ("engine", "answers", "category", "figure", "by", "disputed"),
    [
        ("unknown", ["valid"], "valid", 0.88, "ZeroBounce", []),
        ("unknown", ["invalid"], "invalid", 0.05, "ZeroBounce", []),
        ("unknown", ["catch_all"], "catch_all", 0.5, "ZeroBounce", []),
        ("unknown", ["disposable"], "disposable", 0.1, "ZeroBounce", []),
        ("unknown", ["spam_trap"], "spam_trap", 0.0, "ZeroBounce", []),
        ("unknown", ["unknown", "invalid"], "invalid", 0.05, "NeverBounce", []),
        ("unknown", ["unknown", "unknown"], "unknown", 0.45, "EmailCheck", []),
        ("unknown", ["", ""], "unknown", 0.45, "EmailCheck", []),
        ("unknown", ["valid", "invalid"], "unknown", 0.45, "EmailCheck", [ZB, NB]),
        ("catch_all", ["valid"], "valid", 0.75, "ZeroBounce", []),
        ("catch_all", ["catch_all"], "catch_all", 0.45, "EmailCheck", []),
        ("catch_all", ["invalid"], "invalid", 0.1, "ZeroBounce", [ZB]),
        ("catch_all", ["invalid", "invalid"], "invalid", 0.1, "ZeroBounce", []),
        ("catch_all", ["invalid", "catch_all"], "catch_all", 0.45, "EmailCheck", [ZB]),
        ("catch_all", ["invalid", "valid"], "catch_all", 0.45, "EmailCheck", [ZB, NB]),
        ("catch_all", ["invalid", "unknown"], "invalid", 0.1, "ZeroBounce", [ZB]),
    ],
)
def test_the_sources_are_weighed(
    engine: str, answers: list[str], category: str, figure: float, by: str, disputed: list[str]
) -> None:
    verdict = left(engine)
    heard = [said(name, answer) for name, answer in zip((ZB, NB), answers, strict=False)]
    judged = judge_answers(verdict, heard)
    made = judged.verdict
    assert (made.category, made.confidence) == (category, figure)
    assert (made.checks[-1].name, made.checks[-1].source) == ("decision", by)
    assert judged.contradicted == set(disputed)
    assert made.flags == ((Flag.DISPUTED,) if disputed else ())
    assert made.safe_to_send is (category == "valid")
    assert [check.source for check in made.checks[1:-1]] == ["ZeroBounce", "NeverBounce"][: len(answers)]


def test_what_was_said_is_kept_word_for_word() -> None:
    heard = [said(ZB, "unknown", sub_status="greylisted", took_ms=412.0), said(NB)]
    checks = judge_answers(left(), heard).verdict.checks
    assert [(check.outcome, check.detail, check.time_ms) for check in checks[1:]] == [
        ("unknown", "said unknown (greylisted), which we read as unknown; asked at 2030-01-31 04:05:06 UTC", 412.0),
        ("unknown", "asked at 2030-01-31 04:05:06 UTC, without a usable answer: down", None),
        ("pass", "nobody knew more (ZeroBounce: unknown), so our own answer stands", None),
    ]


def test_a_warning_makes_an_address_risky_and_no_more() -> None:
    made = judge_answers(left(), [said(ZB, "valid", advises_against=True)]).verdict
    assert (made.category, made.confidence, made.safe_to_send) == ("valid", 0.3, False)


@pytest.mark.parametrize(
    ("engine", "answers", "settled"),
    [
        ("unknown", ["valid"], True),
        ("unknown", ["catch_all"], True),
        ("unknown", ["unknown"], False),
        ("unknown", ["unknown", "unknown"], True),
        ("unknown", ["", ""], False),
        ("catch_all", ["valid"], True),
        ("catch_all", ["catch_all"], True),
        ("catch_all", ["invalid"], False),
        ("catch_all", ["invalid", "unknown"], True),
    ],
)
def test_another_is_asked_until_it_is_settled(engine: str, answers: list[str], settled: bool) -> None:
    heard = [said(name, answer) for name, answer in zip((ZB, NB), answers, strict=False)]
    assert is_settled(left(engine), heard) is settled


@pytest.mark.parametrize("category", list(Category))
def test_what_the_engine_is_certain_of_is_never_open(category: Category) -> None:
    assert is_undecided(left(category.value)) is (category in (Category.UNKNOWN, Category.CATCH_ALL))


def test_what_the_plan_leaves_undecided_is_not_open() -> None:
    verdict = left()
    verdict.reason = Reason.NOT_IN_PLAN
    assert not is_undecided(verdict)


def test_a_verdict_that_waits_comes_back_as_it_was() -> None:
    verdict = left("catch_all")
    plain = pack_verdict(verdict)
    assert unpack_verdicts([plain]) == [verdict]
    assert routing.judge_answers(verdict, []).verdict is verdict
