"""Our egress addresses: the ways on which we knock at mail hosts, each with its name there."""

from dataclasses import dataclass

from validation.engine.egress.connectors import Connector, build_connector

_HELO = ";helo="


@dataclass(frozen=True, slots=True)
class Egress:
    """One egress address. `key` tells it apart on every machine (its source address, or the proxy without its
    password); `name` is what evidence calls it; `helo` is its name in EHLO, "" for the configured one."""

    key: str
    name: str
    helo: str
    connector: Connector

    @classmethod
    def by(cls, connector: Connector, helo: str = "") -> "Egress":
        """The egress address that a connector is."""
        return cls(connector.key, connector.name, helo, connector)


@dataclass(frozen=True, slots=True)
class EgressState:
    """What the calendar and people say of an egress address: since when it warms up (epoch seconds; None: it is warm),
    and whether it is to open no more sessions."""

    warms_since: float | None = None
    rests: bool = False


def build_egress(route: str, number: int = 1) -> Egress:
    """The egress address that a configured route names; `number` is its place in the configuration.

    Raises ValueError for a route of unknown form, in words that name no password.

    >>> build_egress("direct:192.0.2.7;helo=out7.example.com").helo
    'out7.example.com'
    """
    connector_route, _, helo = route.partition(_HELO)
    if helo and not (helo.isascii() and helo.isprintable() and " " not in helo):
        raise ValueError(f"the HELO name of route {number} is no host name")
    return Egress.by(build_connector(connector_route, number), helo)
