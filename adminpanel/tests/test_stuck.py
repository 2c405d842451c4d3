"""Work that hangs is shown, done again and given up: once, with a trace."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from django_q.models import Failure, OrmQ
from rest_framework.test import APIClient

from accounts.models import Activity, User
from billing.models import CreditAccount, CreditHold, EventState, ProviderEvent
from billing.services import reconcile
from conftest import client_of
from emailcheck.common import tasks
from emailcheck.common.testing import drain_queue
from tests.paypal import Buyer
from tests.world import Sandbox
from validation import services
from validation.models import Batch, BatchType, Chunk, ChunkState, Result

LIST = "/api/admin/work"
LISTED = [f"person{number}@harborquill.com" for number in range(120)]


def later(**delta: float) -> Any:
    return time_machine.travel(timezone.now() + timedelta(**delta), tick=False)


def shown(api: APIClient, **query: str) -> list[dict[str, Any]]:
    work: list[dict[str, Any]] = api.get(LIST, query).json()["work"]
    return work


def press(api: APIClient, work: dict[str, Any], verb: str) -> tuple[int, str]:
    answer = api.post(f"{LIST}/{work['kind']}/{work['id']}/{verb}")
    return answer.status_code, answer.json().get("message") or answer.json()["detail"]


def staff_lines() -> list[tuple[str, str]]:
    return list(Activity.objects.filter(kind="staff").order_by("pk").values_list("action", "target"))


@pytest.fixture
def batch(alice: User) -> Batch:
    """A list of which no worker knows."""
    made = services.start_list(user=alice, lines=LISTED[:100], batch_type=BatchType.BULK_TEXTAREA)
    OrmQ.objects.all().delete()
    return made


@pytest.fixture
def api(sam: User) -> APIClient:
    return client_of(sam)
