"""The comparison with PayPal's samples notices what it should."""

from typing import Any

import pytest

from emailcheck.sandbox.paypal.tests.likeness import differences

SAMPLE = {"id": "5O190127TN364715T", "amount": {"value": "25.00"}, "time": "2026-11-20T04:05:06Z", "links": [{"n": 1}]}
TWIN = {"id": "7XKM2LEFT4R2S9Q1W", "amount": {"value": "9.99"}, "time": "2030-01-31T00:00:00Z", "links": [{"n": 2}]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, []),
        ({"more": 1}, ["/more is not documented"]),
        ({"id": "short"}, ["/id is 'short', documented as '5O190127TN364715T'"]),
        ({"amount": {"value": "9.9"}}, ["/amount/value is '9.9', documented as '25.00'"]),
        ({"time": "2030-01-31"}, ["/time is '2030-01-31', documented as '2026-11-20T04:05:06Z'"]),
        ({"links": []}, ["/links has 0 entries for 1"]),
        ({"links": [{"n": "1"}]}, ["/links/0/n is str, not int"]),
        ({"links": [{}]}, ["/links/0/n is missing"]),
    ],
)
def test_differences_are_named(change: dict[str, Any], told: list[str]) -> None:
    assert differences(SAMPLE, TWIN | change) == told
