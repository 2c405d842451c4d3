"""The engine's options. Everything else adapts to the servers."""

from dataclasses import dataclass, field

from validation.engine.profiles import Profiles


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Our names, routes and time limits. Durations are in seconds.

    `dns_servers`: empty means the machine's own resolvers. `mail_from`: empty means the null sender. `routes`: each is
    `direct`, `direct:<source address>` or `socks5://user:password@host:port`, with an optional `;helo=<name>`, and is
    one egress address; the least used one at an operator is taken. `profiles`: limits of operators. `traps`: known spam
    traps, as addresses or as domains with a leading @. `test_domains`: nobody is asked about their addresses, which are
    `unknown`: their verdicts are made up, in test mode. `operator_sessions`: the most sessions at any operator whose
    profile allows more. `address_s`: work on one address, without its time in line. `idle_s`: how long an unused
    session stays open. `rest_s`: how long a host or route that turned us away is left alone.
    """

    dns_servers: tuple[tuple[str, int], ...] = ()
    smtp_port: int = 25
    helo: str = "localhost"
    mail_from: str = ""
    routes: tuple[str, ...] = ("direct",)
    traps: frozenset[str] = frozenset()
    test_domains: frozenset[str] = frozenset()
    dns_attempt_s: float = 2.0
    connect_s: float = 8.0
    greeting_s: float = 20.0
    reply_s: float = 20.0
    stall_s: float = 8.0
    address_s: float = 60.0
    idle_s: float = 3.0
    rest_s: float = 15.0
    backoff_s: float = 0.5
    catch_all_ttl_s: float = 86_400.0
    profiles: Profiles = field(default_factory=Profiles.shipped)
    sessions: int = 1000
    operator_sessions: int | None = None
    dns_at_once: int = 200
    tries: int = 3
