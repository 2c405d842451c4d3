"""IPv4 addresses in the clothes of IPv6, `::ffff:203.0.113.7`, as a socket for both kinds writes them."""

from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Final

Network = IPv4Network | IPv6Network
_MAPPED: Final = IPv6Network("::ffff:0:0/96")


def unmap_address(text: str) -> str:
    """An address, one of IPv4 in its own spelling. Raises `ValueError` for what is none."""
    text = text.strip()
    mapped = getattr(ip_address(text), "ipv4_mapped", None)
    return str(mapped) if mapped else text


def unmap_network(network: Network) -> Network:
    """A network, one of IPv4 addresses alone as a network of IPv4."""
    if isinstance(network, IPv4Network) or not network.subnet_of(_MAPPED):
        return network
    first = int(network.network_address) - int(_MAPPED.network_address)
    return IPv4Network((first, network.prefixlen - _MAPPED.prefixlen))
