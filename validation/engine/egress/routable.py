"""Which IP addresses a mail server may have: globally routable unicast, nothing else."""

import ipaddress

# `is_global` alone lets these through: they are multicast, deprecated, or carry an IPv4 address inside
# (IANA special-purpose registries; RFC 6052, 3056, 4380, 4291 section 2.5.5, 3879, 7526).
_REFUSED_V4 = tuple(
    ipaddress.IPv4Network(text) for text in ("192.88.99.0/24", "192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24")
)
_REFUSED_V6 = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        "::/8",  # unspecified, loopback, IPv4-compatible, IPv4-mapped
        "64:ff9b::/96",  # NAT64
        "64:ff9b:1::/48",  # local NAT64
        "100::/64",  # discard only
        "2001::/23",  # protocol assignments: Teredo, ORCHID, benchmarking
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local
        "fe80::/9",  # link-local, site-local
        "ff00::/8",  # multicast
    )
)
_GLOBAL_UNICAST_V6 = ipaddress.IPv6Network("2000::/3")
_ISATAP = (b"\x00\x00\x5e\xfe", b"\x02\x00\x5e\xfe")


def is_ip_address(text: str) -> bool:
    """Whether `text` is an IPv4 or IPv6 address."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def is_routable(text: str) -> bool:
    """Whether `text` is an IP address that a mail server on the public internet can have."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        return _is_routable_v6(address)
    return address.is_global and not address.is_multicast and not any(address in net for net in _REFUSED_V4)


def _is_routable_v6(address: ipaddress.IPv6Address) -> bool:
    if address.scope_id is not None or address not in _GLOBAL_UNICAST_V6 or not address.is_global:
        return False
    if address.packed[8:12] in _ISATAP:
        return False
    return not any(address in net for net in _REFUSED_V6)
