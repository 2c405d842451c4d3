"""A running sandbox with a shop at its PayPal, over real sockets."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from emailcheck.sandbox import Sandbox, SandboxOptions, start_sandbox

SHAPES = json.loads((Path(__file__).parent / "shapes.json").read_text())
WEBHOOK_ID = "0EH40505U7160970P"
ACCEPT_JSON = {"Accept": "application/json"}


class Shop:
    """A shop with a token, and the buyer's browser."""

    def __init__(self, client: httpx2.AsyncClient) -> None:
        self.client = client
        self.headers = {"Content-Type": "application/json"}

    async def sign_in(self) -> None:
        answer = await self.client.post(
            "/v1/oauth2/token", auth=("sandbox-client", "sandbox-secret"), data={"grant_type": "client_credentials"}
        )
        self.headers["Authorization"] = f"Bearer {answer.json()['access_token']}"

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx2.Response:
        content = None if body is None else json.dumps(body)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.client.request(method, path, content=content, headers={**self.headers, **told})

    async def choose(self, url: str, outcome: str) -> str:
        """What the buyer presses on the approval page; answers where the browser is sent."""
        answer = await self.client.post(url, data={"outcome": outcome})
        assert answer.status_code == 302
        return answer.headers["Location"]

    async def control(self, path: str, /, **fields: Any) -> Any:
        answer = await self.client.post(f"/sandbox/paypal/{path}", json=fields)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def overview(self) -> Any:
        return (await self.client.get("/sandbox/paypal", headers=ACCEPT_JSON)).json()

    async def event(self, kind: str) -> Any:
        """The newest event of that kind, as it is delivered."""
        found = next(event for event in (await self.overview())["events"] if event["kind"] == kind)
        delivery = (await self.client.get(f"/sandbox/paypal/events/{found['id']}")).json()
        return json.loads(delivery["body"])

    async def kinds(self) -> list[str]:
        """What was announced, oldest first."""
        return [event["kind"] for event in reversed((await self.overview())["events"])]

    # --- what a shop does, in short

    async def order(self, outcome: str = "") -> str:
        """An order as the sample asks for it, approved if an outcome is given; answers its id."""
        made = (await self.ask("POST", "/v2/checkout/orders", sample_order())).json()
        if outcome:
            await self.choose(made["links"][1]["href"], outcome)
        return str(made["id"])

    async def plan(self, **changes: Any) -> str:
        product = (
            await self.ask("POST", "/v1/catalogs/products", sample("catalog", "POST /v1/catalogs/products"))
        ).json()
        asked = sample("plans", "POST /v1/billing/plans") | {"product_id": product["id"]} | changes
        return str((await self.ask("POST", "/v1/billing/plans", asked)).json()["id"])

    async def subscription(self, outcome: str = "pay", plan_id: str = "", **changes: Any) -> str:
        """A subscription as the sample asks for it; answers its id."""
        asked = sample("subscriptions", "POST /v1/billing/subscriptions")
        asked |= {"plan_id": plan_id or await self.plan()} | changes
        made = (await self.ask("POST", "/v1/billing/subscriptions", asked)).json()
        if outcome:
            await self.choose(made["links"][0]["href"], outcome)
        return str(made["id"])

    async def shown(self, subscription_id: str) -> Any:
        return (await self.ask("GET", f"/v1/billing/subscriptions/{subscription_id}")).json()


def sample(room: str, call: str) -> Any:
    """The documented request of a call."""
    return json.loads(json.dumps(SHAPES[room][call]["request"]))


def sample_order() -> Any:
    return sample("orders", "POST /v2/checkout/orders")


@pytest.fixture
async def paypal(tmp_path: Path) -> AsyncIterator[Sandbox]:
    options = SandboxOptions(data_dir=tmp_path, webhook_id=WEBHOOK_ID, webhook_url="http://127.0.0.1:9/webhooks/paypal")
    async with start_sandbox(options) as running:
        yield running


@pytest.fixture
async def shop(paypal: Sandbox) -> AsyncIterator[Shop]:
    async with httpx2.AsyncClient(
        base_url=f"http://127.0.0.1:{paypal.http_port}", trust_env=False, verify=False
    ) as client:
        found = Shop(client)
        await found.control("reset", to="2030-01-31T04:05:06Z")
        await found.control("webhooks", hold=1)
        await found.sign_in()
        yield found
