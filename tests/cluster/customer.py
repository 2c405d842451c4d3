"""A customer of a cluster, who hands lists in and takes results out through the balancer."""

import csv
import io
import secrets
import time
import uuid
from collections.abc import Callable
from typing import Any

import httpx2

from tests.cluster.cluster import Cluster
from tests.stack import ALICE, wait_until

BOX = "cluster"
ENDED = {"completed", "cancelled", "failed"}
_PATIENCE_S = 120.0
_MAKE_KEY = """
from accounts.keys import services as keys
from accounts.users.models import User
from billing.ledger import services as ledger
from billing.ledger.models import LotKind
from billing.subscriptions.models import Subscription
user = User.objects.get(email={email!r})
organisation = user.own_organisation
Subscription.objects.filter(organisation=organisation).update(plan='enterprise')
ledger.grant_credits(
    organisation_id=organisation.pk, kind=LotKind.PACK, amount=5_000_000, reason='For a cluster', key={grant!r}
)
print(keys.create_key(organisation=organisation, maker=user, name='Cluster')[1])
"""


class Customer:
    """Alice with a key, without a limit of calls, and with credits for days. Her webhooks go to one box."""

    def __init__(self, cluster: Cluster) -> None:
        script = _MAKE_KEY.format(email=ALICE["email"], grant=secrets.token_hex(8))
        self.key = cluster.manage("shell", "--no-imports", "-c", script).split()[-1]
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}
        self.client = httpx2.Client(base_url=cluster.address, headers=headers, timeout=60, trust_env=False)

    def listen(self) -> None:
        """Have the end of each list told to the box."""
        hook = {"url": f"https://inbox.hookbarn.com/{BOX}", "events": ["batch.completed"]}
        self.ask("POST", "/api/user/webhooks", json=hook, headers=self.sign_in())

    def sign_in(self) -> dict[str, str]:
        """The header of calls of somebody who has just signed in."""
        return {"Authorization": f"Bearer {self.ask('POST', '/api/auth/login', json=ALICE)['token']}"}

    def start_list(self, addresses: list[str]) -> str:
        """Upload a file, review it and start; answers the list's id."""
        file = ("list.csv", "\n".join(["email", *addresses]).encode())
        upload = self.ask("POST", "/api/v1/validate/upload/inspect", files={"file": file})["upload_id"]
        self.ask("PUT", f"/api/v1/validate/upload/{upload}", json={"retention_days": 30})
        once = {"Idempotency-Key": uuid.uuid4().hex}
        return str(self.ask("POST", f"/api/v1/validate/upload/{upload}/start", json={}, headers=once)["batch_id"])

    def read_status(self, batch_id: str) -> Any:
        return self.ask("GET", f"/api/v1/validate/batch/{batch_id}/status")

    def wait_for_end(self, batch_id: str, within_s: float) -> Any:
        """Its status once it has ended. Raises `TimeoutError`."""
        wait_until(lambda: self.read_status(batch_id)["status"] in ENDED, within_s)
        return self.read_status(batch_id)

    def export(self, batch_id: str) -> list[dict[str, str]]:
        """The rows of its export."""
        text = self.ask("GET", f"/api/v1/validate/batch/{batch_id}/export?format=csv", read=lambda answer: answer.text)
        return list(csv.DictReader(io.StringIO(text)))

    def delete(self, batch_id: str) -> None:
        self.ask("DELETE", f"/api/v1/validate/batch/{batch_id}")

    def list_messages(self) -> list[Any]:
        """What has come to the box."""
        return list(self.ask("GET", f"/sandbox/inbox?box={BOX}&limit=1000"))

    def ask(
        self, method: str, path: str, *, read: Callable[[httpx2.Response], Any] = httpx2.Response.json, **more: Any
    ) -> Any:
        """The content of an answer. Asks again while there is none, or one of 429 or from 500 on.

        Raises `HTTPStatusError` for another refusal.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while True:
            try:
                answer = self.client.request(method, path, **more)
                if answer.status_code < 500 and answer.status_code not in {409, 429}:
                    return read(answer.raise_for_status())
                failure = f"{answer.status_code} {answer.text[:300]}"
            except httpx2.TransportError as error:
                failure = repr(error)
            if time.monotonic() > deadline:
                raise TimeoutError(f"{method} {path}: {failure}")
            time.sleep(0.3)
