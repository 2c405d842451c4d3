"""The names of the receiver's hosts in the DNS of the simulated world."""

from collections.abc import Mapping

ZONE = "hookbarn.com"
HOST = f"inbox.{ZONE}"
ADDRESSES = ("11.90.0.10", "2a0e:5ec0:90::10")
# Internal names as attackers write them; none is ever dialled.
TRAPS: Mapping[str, tuple[str, ...]] = {
    f"private.{ZONE}": ("10.0.0.5",),
    f"loopback.{ZONE}": ("127.0.0.1",),
    f"metadata.{ZONE}": ("169.254.169.254",),
    f"mapped.{ZONE}": ("::ffff:127.0.0.1",),
    f"nat64.{ZONE}": ("64:ff9b::7f00:1",),
    f"mixed.{ZONE}": (ADDRESSES[0], "192.168.1.1"),
}
# Public at first; a switch moves it inside (DNS rebinding).
MOVING = f"rebind.{ZONE}"
NAMES: Mapping[str, tuple[str, ...]] = {HOST: ADDRESSES, MOVING: ADDRESSES[:1], **TRAPS}
