"""ZeroBounce, NeverBounce and Kickbox, simulated: their APIs over the simulated mailboxes.

`service` has the account and its charges, `findings` the service's knowledge of an address; one module for each vendor
implements its API. `world` wires them for the runtime, `control` is their page.
"""

__all__ = ["control", "world"]
