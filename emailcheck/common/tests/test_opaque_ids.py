"""Ids of the API tell nothing about the rows behind them."""

import pytest

from emailcheck.common.opaque_ids import decode_id, encode_id


@pytest.mark.spec("API-014")
def test_an_id_names_its_row_and_no_other() -> None:
    numbers = [0, 1, 2, 255, 10_200_000, 2**63 - 1, 2**64 - 1]
    ids = [encode_id("res", number) for number in numbers]
    assert [decode_id("res", text) for text in ids] == numbers
    assert len(set(ids)) == len(ids)
    assert {len(text) for text in ids} == {30}


@pytest.mark.spec("API-014")
def test_ids_do_not_follow_the_order_of_their_rows() -> None:
    ids = [encode_id("res", number) for number in range(1_000)]
    assert ids != sorted(ids)
    beginnings = {text[:6] for text in ids}
    assert len(beginnings) > 500  # neighbours share no beginning that would tell how many there are


@pytest.mark.spec("API-014")
@pytest.mark.parametrize(
    "text",
    ["", "7", "res_", "res_7", "res_" + "a" * 26, "whk_" + encode_id("res", 7)[4:], encode_id("res", 7).upper(),
     encode_id("res", 7) + "a", encode_id("res", 7)[:-1], "res_" + "ä" * 26, "res_" + "=" * 26],
)  # fmt: skip
def test_what_was_not_made_here_names_nothing(text: str) -> None:
    assert decode_id("res", text) is None


@pytest.mark.spec("API-014")
def test_every_other_spelling_of_an_id_names_nothing() -> None:
    text = encode_id("res", 7)
    for position in range(4, len(text)):
        other = "a" if text[position] != "a" else "b"
        assert decode_id("res", text[:position] + other + text[position + 1 :]) is None
