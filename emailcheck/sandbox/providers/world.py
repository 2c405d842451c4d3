"""The three services over one simulated world."""

from emailcheck.sandbox.mailworld.scenario.world import World
from emailcheck.sandbox.providers.findings import AddressTruth, inspect_address
from emailcheck.sandbox.providers.kickbox import Kickbox
from emailcheck.sandbox.providers.neverbounce import NeverBounce
from emailcheck.sandbox.providers.service import SimulatedService
from emailcheck.sandbox.providers.zerobounce import ZeroBounce


class ProviderWorld:
    """ZeroBounce, NeverBounce and Kickbox, with an account of ours at each."""

    def __init__(self, world: World) -> None:
        def known(address: str) -> AddressTruth:
            return inspect_address(world, address)

        self.services = (ZeroBounce(known), NeverBounce(known), Kickbox(known))

    @property
    def accounts(self) -> dict[str, SimulatedService]:
        """The accounts by name."""
        return {service.account.name: service.account for service in self.services}
