"""Addresses are taken out of what stands around them, and never changed into others."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from validation.engine import (
    MOST_ADDRESSES,
    AddressSyntaxError,
    Category,
    Reading,
    Reason,
    RepairKind,
    parse,
    read_addresses,
    read_parsed_addresses,
)
from validation.engine.repair import read_thoroughly
from validation.engine.tests.world import World

_ANNA = "anna@example.com"
_MADE_PLAIN = str.maketrans("\uff20\ufe6b\uff0e", "@@.")
_CELL = 32_767

_AROUND = [
    ("Anna Keller <anna@example.com>", "name"),
    ('"Keller, Anna" <anna@example.com>', "name"),
    ("Keller, Anna <anna@example.com>", "name"),
    ('"Keller \\"Anni\\", Anna" <anna@example.com>', "name"),
    ("Anna Keller<anna@example.com>", "name"),
    ("Anna Keller anna@example.com", "name"),
    ("Keller, anna@example.com", "name"),
    ("anna@example.com - Anna Keller", "name punctuation"),
    ('"anna@old.com" <anna@example.com>', "name"),
    ('"Anna (anna@old.com)" <anna@example.com>', "name"),
    ("anna@example.com <anna@example.com>", "name"),
    ("'anna@example.com' <anna@example.com>", "name punctuation"),
    ("1. anna@example.com", "name"),
    ("E-mail: anna@example.com", "name"),
    ("Anna @anna anna@example.com", "name"),
    ("Anna <anna@example.com", "name"),
    ("田中太郎 <anna@example.com>", "name"),
    ("Анна Келлер <anna@example.com>", "name"),
    ("אנה <anna@example.com>", "name"),
    ("Anna Keller [mailto:anna@example.com]", "name mailto"),
    ("anna@example.com<mailto:anna@example.com>", "name mailto"),
    ("anna@example.com <mailto:anna@example.com?subject=Hi there>", "name mailto"),
    ("Anna Keller (anna@example.com)", "name"),
    ("<anna@example.com>", "brackets"),
    ("<<anna@example.com>>", "brackets"),
    ("[anna@example.com]", "brackets"),
    ("(anna@example.com)", "brackets"),
    ("mailto:anna@example.com", "mailto"),
    ("MailTo:anna@example.com?subject=Hi", "mailto"),
    ("mailto:anna@example.com?subject=Hello World&cc=b@example.com", "mailto"),
    ("mailto:anna@example.com?subject=100%25", "mailto"),
    ("<mailto:anna@example.com>", "brackets mailto"),
    ("[anna@example.com](mailto:anna@example.com)", "brackets comment"),
    ("anna@example.com (home)", "comment"),
    ("(home) anna@example.com", "comment"),
    ("anna@example.com(home)", "comment"),
    ("anna(home)@example.com", "comment"),
    ("anna@example.com ((old) home)", "comment"),
    ("Anna Keller <anna@example.com> (home)", "name comment"),
    ("anna@example.com (was anna@old.com)", "comment"),
]
_STRAY = [
    ("\u200banna@example.com", "invisible"),
    ("anna@exam\u200bple.com\u2060", "invisible"),
    ("\ufeffanna@example.com", "invisible"),
    ("an\u00adna@example.com", "invisible"),
    ("\u200eanna@example.com\u200f", "invisible"),
    ("\u202banna@example.com\u202c", "invisible"),
    ("\u2068anna@\u061cexample.com\u2069", "invisible"),
    ("\u200canna@example.com\u200d", "invisible"),
    ("anna @example.com", "invisible"),
    ("anna@ example.com", "invisible"),
    ("anna\u00a0@\u202fexample.com", "invisible"),
    ("\u200b \u200eanna@example.com \u200b", "invisible"),
    ('"anna@example.com"', "punctuation"),
    ("'anna@example.com'", "punctuation"),
    ('"""anna@example.com"""', "punctuation"),
    ("\u201canna@example.com\u201d", "punctuation"),
    ("\u201eanna@example.com\u201c", "punctuation"),
    ("\u00abanna@example.com\u00bb", "punctuation"),
    ("anna@example.com.", "punctuation"),
    ("anna@example.com,", "punctuation"),
    ("anna@example.com;", "punctuation"),
    ("anna@example.com:", "punctuation"),
    ("anna@example.com;;,.", "punctuation"),
    (",anna@example.com", "punctuation"),
    (";anna@example.com", "punctuation"),
    ('"anna@example.com";', "punctuation"),
    ("anna\uff20example.com", "full_width"),
    ("anna\ufe6bexample.com", "full_width"),
    ("anna\uff20example\uff0ecom", "full_width"),
    ("アンナ\uff1canna\uff20example\uff0ecom\uff1e", "name full_width"),
    ("<anna@example.com>\u200b.", "brackets invisible punctuation"),
]
_STAYING = [
    "gmial.com",
    "anna(at)example.com",
    "anna[at]example[dot]com",
    "not-an-address",
    "Anna Keller",
    "anna@",
    "@example.com",
    "@",
    ",",
    "anna@example",
    "anna@@example.com",
    "anna@example,com",
    "anna,keller@example.com",
    "keller;anna@example.com",
    "anna@example.co,uk",
    "anna@example.com/Anna",
    "anna. keller@example.com",
    "anna_ keller@example.com",
    "anna@example.co .uk",
    "anna@example.co. uk",
    "anna@example .com",
    "ann(x)a@example.com",
    "anna\u200c@exa\u200dmple.com",
    "mailto:anna%2Bnews@example.com",
    "mailto:anna%40example.com",
    "&lt;anna@example.com&gt;",
    "&quot;anna@example.com&quot;",
    '"anna@example.com',
    'Anna "anna@example.com',
    '"Anna" "anna@example.com',
    "anna@example.com'",
    "anna@[192.0.2.1]",
    "anna\uff20",
    "\u0093anna@example.com\u0094",
    '"' * 7,
    "http://example.com/anna@example.com",
]
_SEVERAL = [
    ("a@example.com, b@example.com", ("a@example.com", "b@example.com"), "several"),
    ("a@example.com,b@example.com", ("a@example.com", "b@example.com"), "several"),
    ("a@example.com;b@example.com;", ("a@example.com", "b@example.com"), "several punctuation"),
    ("a@example.com b@example.com", ("a@example.com", "b@example.com"), "several"),
    ("a@example.com\tb@example.com", ("a@example.com", "b@example.com"), "several"),
    ("a@example.com/b@example.com", ("a@example.com", "b@example.com"), "several"),
    ("a@example.com / b@example.com", ("a@example.com", "b@example.com"), "several punctuation"),
    ("a/b@example.com/c/d@example.com", ("a/b@example.com", "c/d@example.com"), "several"),
    ("a@example.com\r\nb@example.com", ("a@example.com", "b@example.com"), "several"),
    ("b@example.com;a@example.com;b@example.com", ("b@example.com", "a@example.com", "b@example.com"), "several"),
    ('"Keller, Anna" <a@example.com>; Peter <p@example.com>', ("a@example.com", "p@example.com"), "name several"),
    ("Keller, Anna <a@example.com>, Peter <p@example.com>", ("a@example.com", "p@example.com"), "name several"),
    ("a@example.com,Anna Keller <b@example.com>", ("a@example.com", "b@example.com"), "name several"),
    ("a@old.com <b@example.com>", ("a@old.com", "b@example.com"), "brackets several"),
    ('"a@example.com; b@example.com"', ("a@example.com", "b@example.com"), "several punctuation"),
    ('"a@example.com","b@example.com"', ("a@example.com", "b@example.com"), "several punctuation"),
    ("mailto:a@example.com,b@example.com?cc=c@example.com", ("a@example.com", "b@example.com"), "mailto several"),
    ("a@example.com\uff1bb\uff20example\uff0ecom", ("a@example.com", "b@example.com"), "several full_width"),
    ("a@example.com\u060c b@example.com", ("a@example.com", "b@example.com"), "several"),
    ('"a, b"@example.com, c@example.com', ('"a, b"@example.com', "c@example.com"), "several"),
    ('Anna <"a; b"@example.com>', ('"a; b"@example.com',), "name"),
    ('"a b" @example.com', ('"a b"@example.com',), "invisible"),
]
_POSSIBLE = [
    _ANNA,
    "a/b@example.com",
    '"a b"@example.com',
    '"<a@b>, c"@example.com',
    "o'neil@example.com",
    "'anna@example.com",
    "a\uff20b@example.com",
    "anna@example\uff0ecom",
    "用户@例子.广告",
    "{anna}@example.com",
    "gmial@gmial.com",
]


def _name_kinds(text: str) -> tuple[RepairKind, ...]:
    return tuple(map(RepairKind, text.split()))


@pytest.mark.finding("E1")
@pytest.mark.spec("REP-001")
@pytest.mark.parametrize(("text", "kinds"), _AROUND)
def test_one_address_is_taken_out_of_what_stands_around_it(text: str, kinds: str) -> None:
    assert read_addresses(text) == ((_ANNA,), _name_kinds(kinds), 1)


@pytest.mark.spec("REP-002")
@pytest.mark.parametrize(("text", "kinds"), _STRAY)
def test_invisible_and_stray_characters_go(text: str, kinds: str) -> None:
    assert read_addresses(text) == ((_ANNA,), _name_kinds(kinds), 1)


@pytest.mark.spec("REP-003")
@pytest.mark.parametrize(("text", "addresses", "kinds"), _SEVERAL)
def test_each_of_several_addresses_is_found(text: str, addresses: tuple[str, ...], kinds: str) -> None:
    assert read_addresses(text) == (addresses, _name_kinds(kinds), len(addresses))


@pytest.mark.spec("REP-003")
@pytest.mark.parametrize("separator", [", ", ";", " ", "\t", "/", "\n"])
def test_a_cell_gives_its_first_fifty_and_their_number(separator: str) -> None:
    addresses = tuple(f"person{number}@example.com" for number in range(73))
    assert read_addresses(separator.join(addresses)) == (addresses[:MOST_ADDRESSES], (RepairKind.SEVERAL,), 73)
    assert MOST_ADDRESSES == 50
    assert read_addresses(separator.join(addresses[:50])) == (addresses[:50], (RepairKind.SEVERAL,), 50)


@pytest.mark.spec("REP-004")
@pytest.mark.parametrize("text", _STAYING)
def test_what_holds_no_possible_address_stays(text: str) -> None:
    assert read_addresses(f"  {text}\t") == ((text,), (), 0)


@pytest.mark.spec("REP-001", "REP-002")
@pytest.mark.parametrize("blank", ["", " ", "\u00a0", "\u2007", "\u202f", " \t\r\n\u3000"])
@pytest.mark.parametrize("address", _POSSIBLE)
def test_a_possible_address_loses_its_outer_blanks_without_a_word(address: str, blank: str) -> None:
    assert read_addresses(f"{blank}{address}{blank}") == ((address,), (), 1)


@pytest.mark.spec("REP-010")
@pytest.mark.parametrize(
    "text",
    ["", " ", "\u00a0\u2007\u202f\t", "\u200b", "\u200d \u200c", "\ufeff\u200e", "(home)", "( (a) b ) (c)", "（自宅）"],
)
def test_a_text_of_nothing_is_blank(text: str) -> None:
    assert read_addresses(text) == ((), (), 0)


@pytest.mark.spec("REP-003")
def test_an_address_is_handed_out_as_it_was_parsed() -> None:
    reading, parsed = read_parsed_addresses("Anna <Anna@Example.COM>; b@bücher.de; c@example.com")
    assert reading.addresses == ("Anna@Example.COM", "b@bücher.de", "c@example.com")
    assert parsed == ("Anna@example.com", "b@xn--bcher-kva.de", "c@example.com")
    assert read_parsed_addresses("not an address").parsed == ()
    assert read_parsed_addresses(" A@Example.com ").parsed == (parse("A@Example.com"),)


_MESS = [
    *"<>()[]\"'@,;:./\\ \t\n?%&=-+aé日\uff20\ufe6b\uff0e\uff1c\uff1e\uff08\uff09\u200b\u200c\u200d\u00a0\u202e",
    *("anna@example.com", "a@b.co", "Anna", "mailto:", "?cc=", '"a b"@c.de', "x\uff20y\uff0ecom", "é@é.fr", "@@", "''"),
]
_TEXTS = st.lists(st.sampled_from(_MESS), max_size=25).map("".join) | st.text(max_size=60)
_HOSTILE = st.tuples(
    st.lists(st.sampled_from(_MESS), min_size=1, max_size=4).map("".join),
    st.sampled_from(_MESS),
    st.sampled_from(_MESS),
)


def _is_subsequence(part: str, whole: str) -> bool:
    rest = iter(whole)
    return all(character in rest for character in part)


def _read_by_the_rules(text: str) -> Reading:
    reading, parsed = read_parsed_addresses(text)
    stripped = text.strip()
    assert len(reading.addresses) <= min(MOST_ADDRESSES, max(1, reading.found))
    assert parsed == tuple(map(parse, reading.addresses)) if reading.found else parsed == ()
    if reading.found == 0:
        assert reading.kinds == ()
        assert reading.addresses in ((), (stripped,))
    else:
        assert len(reading.addresses) == min(MOST_ADDRESSES, reading.found)
        assert bool(reading.kinds) == (reading.addresses != (stripped,))
        assert (RepairKind.SEVERAL in reading.kinds) == (reading.found > 1)
    assert list(reading.kinds) == [kind for kind in RepairKind if kind in reading.kinds]
    assert RepairKind.TYPING not in reading.kinds
    for address in reading.addresses:
        assert _is_subsequence(address.translate(_MADE_PLAIN), text.translate(_MADE_PLAIN))
        again = read_addresses(address)
        assert (again.addresses, again.kinds) == ((address,), ())
    return reading


@pytest.mark.spec("REP-001", "REP-004")
@given(_TEXTS)
@example("a@b.co\u200c;")
@example('"a@b.co" <')
@example("mailto:%@b.co a@b.co")
@example('""a b"@c.de"')
def test_every_address_is_possible_and_made_of_its_source(text: str) -> None:
    assert len(_read_by_the_rules(text).addresses) <= MOST_ADDRESSES


@pytest.mark.spec("REP-002", "REP-004")
@given(_TEXTS)
def test_a_possible_address_is_never_changed_into_another(text: str) -> None:
    stripped = text.strip()
    try:
        parse(stripped)
    except AddressSyntaxError:
        return
    assert read_addresses(text) == ((stripped,), (), 1)


@pytest.mark.spec("REP-002")
@given(_TEXTS)
def test_other_characters_of_an_address_never_change(text: str) -> None:
    """Only plain and full-width at signs and full stops stand where full-width ones stood."""
    for address in read_addresses(text).addresses:
        assert _is_subsequence(address, text) or {*"\uff20\ufe6b\uff0e"} & {*text}


@pytest.mark.spec("REP-004")
@given(_TEXTS.filter(lambda text: not {*"@\uff20\ufe6b"} & {*text}))
def test_a_text_without_any_at_sign_stays(text: str) -> None:
    assert read_addresses(text) in (((), (), 0), ((text.strip(),), (), 0))


@pytest.mark.spec("REP-010")
@settings(deadline=None)
@given(_HOSTILE)
def test_a_hostile_cell_is_read_by_the_same_rules(parts: tuple[str, str, str]) -> None:
    unit, before, after = parts
    reading = _read_by_the_rules((before + unit * _CELL)[: _CELL - len(after)] + after)
    assert len(reading.addresses) <= MOST_ADDRESSES


@pytest.mark.spec("REP-008", "REP-009")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Anna Keller <anna@shop.com>", "anna@shop.com"),
        ("anna\uff20shop.com", "anna@shop.com"),
        ("anna@shop.com;", "anna@shop.com"),
        ("anna@shop.com; peter@shop.com", None),
        ("anna(at)shop.com", None),
        ("anna,keller@shop.com", None),
    ],
)
async def test_impossible_text_names_the_only_address_that_it_holds(world: World, text: str, meant: str | None) -> None:
    verdict = await world.verifier().verify(text)
    assert (verdict.category, verdict.reason, verdict.syntax_valid) == (Category.INVALID, Reason.SYNTAX, False)
    assert (verdict.email, verdict.normalized, verdict.did_you_mean) == (text, None, meant)


_NAME_PARTS = st.text(st.sampled_from("Ab é-.'_\u200b\u00a0\"\\,(<@:"), max_size=12)


@given(
    _NAME_PARTS, st.sampled_from(["a@b.co", "a/b@c.de", "'a@b.co", "a@b.co.", "é@b.co", "a@B.CO", "a b@c.de", "@b.co"])
)
@settings(max_examples=2_000)
def test_a_plain_name_is_read_as_any_other_text(name: str, address: str) -> None:
    text = f"{name}<{address}>".strip()
    assert read_parsed_addresses(text) == read_thoroughly(text)
