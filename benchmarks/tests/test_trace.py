"""What the tracer counts: files of ours in order, and calls from one to another."""

import sys
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.access.authentication import load_key
from benchmarks.trace import Tracer
from emailcheck.common.api.serializers import validate_shape
from emailcheck.common.errors import NotAuthenticated
from validation.batches.intake.addresses import Intake
from validation.engine.limits.warm_up import find_warm_day
from validation.engine.profiles import Profile
from validation.single.serializers import AddressSerializer

WARMING = Profile("yahoo", warm_up=(0.1, 0.5))
SHAPES, TEXTS = "emailcheck/common/api/serializers.py", "emailcheck/common/text/cleaning.py"
CONTEXT = "emailcheck/common/request_context.py"


@pytest.fixture
def tracer() -> Iterator[Tracer]:
    before = sys.getprofile()
    yield Tracer()
    sys.setprofile(before)
    threading.setprofile(None)


def test_a_call_to_another_file_is_a_change(tracer: Tracer) -> None:
    with tracer.following(), pytest.raises(NotAuthenticated):
        load_key("no key")
    assert (tracer.files, tracer.changes) == (
        {"accounts/access/authentication.py": 3, "emailcheck/common/errors.py": 1},
        1,
    )


def test_what_lies_between_does_not_count(tracer: Tracer) -> None:
    body: dict[str, Any] = {"email": "ann@alder.com"}
    validate_shape(AddressSerializer, body)
    with tracer.following():
        validate_shape(AddressSerializer, body)
    assert (tracer.files, tracer.changes) == ({SHAPES: 2, CONTEXT: 1, TEXTS: 1}, 2)


def test_going_on_is_no_call(tracer: Tracer) -> None:
    intake = Intake(impossible=[(1, "a"), (2, "b"), (3, "c")])
    with tracer.following():
        assert len(list(intake.chunks(1))) == 3
    assert (tracer.files, tracer.changes) == ({"validation/batches/intake/addresses.py": 1}, 0)


def test_threads_are_followed(tracer: Tracer) -> None:
    with tracer.following():
        thread = threading.Thread(target=find_warm_day, args=(WARMING, 0.0, 90_000.0))
        thread.start()
        thread.join()
    assert (tracer.files, tracer.changes) == ({"validation/engine/limits/warm_up.py": 1}, 0)
    find_warm_day(WARMING, 0.0, 90_000.0)
    assert tracer.files == {"validation/engine/limits/warm_up.py": 1}
