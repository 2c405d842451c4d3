"""What the benchmark of the pages does inside the product: store results, count queries."""

import json
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from benchmarks.lists import pages, seeding
from tests.stack import ALICE
from validation.batches.models import Batch


def main(*, seed: int, divide: int) -> None:
    """Print what was stored, then the number of queries of each call as JSON."""
    seeding.main(seed=seed, divide=divide)
    user = User.objects.get(email=ALICE["email"])
    token = start_sign_in(user=user, device="benchmark").access
    client = Client(headers={"Authorization": f"Bearer {token}"})
    client.force_login(user)

    def get(path: str) -> Any:
        return client.get(path).json()

    batch = Batch.objects.for_org(user.own_organisation).order_by("-total_emails")[0]
    calls = pages.calls_of(batch.public_id, pages.cursors_into(batch.public_id, get))
    counted = {}
    for path, query in (call for asked in calls.values() for call in asked):
        with CaptureQueriesContext(connection) as queries:
            client.get(path, query)
        counted[pages.name_of(path, query)] = len(queries)
    print(json.dumps(counted))
