"""Credits left at the outside providers. There is no adapter for any of them yet, and that is what is said."""

from dataclasses import dataclass

from billing.models import Plan


@dataclass(frozen=True, slots=True)
class Provider:
    """An outside provider, and the plans whose addresses it may see."""

    name: str
    plans: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How a provider stands: credits as a number, or `Unknown` or `Error` with the explanation."""

    credits: int | str
    status: str
    explanation: str


PROVIDERS = (
    Provider("ZeroBounce", (Plan.STARTER, Plan.GROWTH, Plan.PRO, Plan.ENTERPRISE)),
    Provider("NeverBounce", (Plan.GROWTH, Plan.PRO, Plan.ENTERPRISE)),
    Provider("Kickbox", (Plan.PRO, Plan.ENTERPRISE)),
)


def standing(provider: Provider) -> Standing:
    """Ask a provider for its credits."""
    why = f"{provider.name} is not connected. The built-in checks answer by themselves."
    return Standing("Unknown", "not_configured", why)
