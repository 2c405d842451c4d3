"""ZeroBounce, NeverBounce and Kickbox, played: the shapes of their interfaces over the simulated mailboxes.

`service` is what an account there has and is charged, `findings` what it would say of an address; a module for each
vendor speaks its interface. `world` wires them for the runtime, `control` is their page.
"""

__all__ = ["control", "world"]
