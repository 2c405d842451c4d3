"""Parses the settings of egress addresses and operators' limits, while the settings load: no Django here.

Each function raises ValueError with the route, or the file and its line, and without passwords.
"""

from pathlib import Path

from validation.engine.egress.addresses import Egress, build_egress
from validation.engine.profiles import Profiles


def read_routes(text: str) -> tuple[str, ...]:
    """The routes of a setting, separated by commas, each being one egress address.

    >>> read_routes("direct:192.0.2.7;helo=out7.example.com, direct:192.0.2.8")
    ('direct:192.0.2.7;helo=out7.example.com', 'direct:192.0.2.8')
    """
    routes = tuple(part.strip() for part in text.split(",") if part.strip())
    if not routes:
        raise ValueError("it names no route")
    numbers: dict[str, int] = {}
    for number, route in enumerate(routes, 1):
        key = _parse_egress(route, number).key
        if key in numbers:
            raise ValueError(f"routes {numbers[key]} and {number} are the same egress address")
        numbers[key] = number
    return routes


def _parse_egress(route: str, number: int) -> Egress:
    scheme = route.partition(":")[0].partition(";")[0]
    if scheme not in ("direct", "socks5"):
        raise ValueError(f"route {number} is neither direct, direct:SOURCE_ADDRESS nor socks5://host:port")
    options = route.partition(";")[2]
    if ";" in route and not options.removeprefix("helo="):
        raise ValueError(f"the HELO name of route {number} is empty")
    if options and not options.startswith("helo="):
        raise ValueError(f"route {number} has an option other than ;helo=NAME")
    try:
        return build_egress(route, number)
    except ValueError as error:
        if "HELO" in str(error):
            raise
        wanted = "the source address is no IP address" if scheme == "direct" else "it is no socks5://host:port"
        # The faulty part may be the password, so the cause is left out.
        raise ValueError(f"route {number} cannot be used: {wanted}") from None


def read_profiles_path(text: str) -> Path:
    """The path of a valid file of profiles."""
    path = Path(text)
    Profiles.read(path)
    return path
