"""The logins that a sandbox starts with; never made in live mode."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class DemoLogin:
    """A login that newcomers may use."""

    label: str
    email: str
    name: str
    password: str = "sandbox-2026"
    role: str = "user"
    plan: str = "free"
    pack_credits: int = 0


DEMO_LOGINS: Final = (
    DemoLogin(
        label="Customer on Growth, 50,000 pack credits",
        email="alice@alder-and-ash.com",
        name="Alice Alder",
        plan="growth",
        pack_credits=50_000,
    ),
    DemoLogin(label="Customer on Free, 100 credits", email="bob@birchworks.net", name="Bob Birch"),
    DemoLogin(label="Staff", email="sam@emailcheck.app", name="Sam Staff", role="admin"),
)
