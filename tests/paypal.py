"""The buyer at the simulated PayPal, and the hand on its controls."""

from typing import Any, Self

import httpx2

NOW = "2030-01-31T04:05:06Z"  # a day that the next month does not have


class Buyer:
    """Presses buttons on approval pages, and moves the simulation's time, webhooks and troubles."""

    def __init__(self, base: str) -> None:
        headers = {"Accept": "application/json"}
        # Plain HTTP: the authorities, which take 20 ms to read, are not needed.
        self._client = httpx2.Client(base_url=base, trust_env=False, verify=False, headers=headers, timeout=20)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._client.close()

    def press(self, url: str, outcome: str = "pay") -> str:
        """Choose on an approval page: pay, cancel, decline, delay or refuse. Answers where the browser is sent."""
        answer = self._client.post(url, json={"outcome": outcome})
        answer.raise_for_status()
        return str(answer.json()["redirect"])

    def control(self, path: str, /, **fields: Any) -> Any:
        """A call of the control page, such as `clock`, `trouble`, `subscriptions/ID`."""
        answer = self._client.post(f"/sandbox/paypal/{path}", json=fields)
        answer.raise_for_status()
        return answer.json()

    def overview(self) -> Any:
        return self._client.get("/sandbox/paypal").json()

    def kinds(self) -> list[str]:
        """What PayPal announced, oldest first."""
        return [event["kind"] for event in reversed(self.overview()["events"])]

    def delivery(self, kind: str, forged: str = "") -> tuple[dict[str, str], bytes]:
        """Headers and body of the newest event of that kind, as they are sent to us; or as a forger sends them."""
        found = next(event for event in self.overview()["events"] if event["kind"] == kind)
        told = self._client.get(f"/sandbox/paypal/events/{found['id']}", params={"forged": forged}).json()
        return told["headers"], told["body"].encode()
