"""Our egress addresses: the sources from which mail hosts are contacted, each with its HELO name."""

from dataclasses import dataclass

from validation.engine.egress.connectors import Connector, build_connector

_HELO = ";helo="


@dataclass(frozen=True, slots=True)
class Egress:
    """One egress address.

    `key` identifies it on every machine: its source address, or the proxy without its password. `name` appears in
    evidence. `helo` is its name in EHLO; "" for the configured one.
    """

    key: str
    name: str
    helo: str
    connector: Connector

    @classmethod
    def by(cls, connector: Connector, helo: str = "") -> "Egress":
        """The egress address of a connector."""
        return cls(connector.key, connector.name, helo, connector)


@dataclass(frozen=True, slots=True)
class EgressState:
    """The state of an egress address: since when it warms up, and whether staff have paused it.

    `warms_since` is in epoch seconds; None means warm. An address that `rests` opens no sessions.
    """

    warms_since: float | None = None
    rests: bool = False


def build_egress(route: str, number: int = 1) -> Egress:
    """The egress address of a configured route; `number` is its position in the configuration.

    Raises ValueError for a route of unknown form. The message contains no password.

    >>> build_egress("direct:192.0.2.7;helo=out7.example.com").helo
    'out7.example.com'
    """
    connector_route, _, helo = route.partition(_HELO)
    if helo and not (helo.isascii() and helo.isprintable() and " " not in helo):
        raise ValueError(f"the HELO name of route {number} is no host name")
    return Egress.by(build_connector(connector_route, number), helo)
