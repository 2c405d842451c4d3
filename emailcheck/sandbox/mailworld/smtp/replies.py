"""Replies in the wording of an operator, ready for the wire."""

from emailcheck.sandbox.mailworld.scenario.world import Operator, StartTls

_FLOOD_LINES = 50_000


class Replies:
    """The replies of one operator under one host name."""

    def __init__(self, operator: Operator, host: str) -> None:
        self._host = host
        self._templates = {
            key: text.strip("\n").replace("\n", "\r\n").replace("{host}", host) + "\r\n"
            for key, text in operator.replies.items()
        }
        self._fixed = {key: text.encode() for key, text in self._templates.items() if "{" not in text}
        self._extensions = _list_extensions(operator)

    def __getitem__(self, key: str) -> bytes:
        """A reply that does not name the address."""
        return self._fixed[key]

    def about(self, key: str, address: str, seconds: int = 0) -> bytes:
        """A reply that may name the address, or the seconds to wait."""
        fixed = self._fixed.get(key)
        if fixed is not None:
            return fixed
        return self._templates[key].replace("{seconds}", str(seconds)).replace("{address}", address).encode()

    def to_source(self, key: str, source: str) -> bytes:
        """A reply that may name the address that the peer comes from."""
        return self._templates[key].replace("{source}", source).encode()

    def extensions(self, source: str, *, secured: bool) -> bytes:
        """The answer to EHLO from an address: what this host offers, STARTTLS only as long as the session is in the
        clear."""
        offered = [name for name in self._extensions if not (secured and name == "STARTTLS")]
        lines = [f"250-{self._host} at your service, [{source}]", *(f"250-{name}" for name in offered[:-1])]
        return "".join(f"{line}\r\n" for line in [*lines, f"250 {offered[-1]}"]).encode()

    def flood(self) -> bytes:
        """A greeting that goes on and on and never comes to its last line."""
        return f"220-{self._host} welcomes you\r\n".encode() * _FLOOD_LINES


def _list_extensions(operator: Operator) -> list[str]:
    offered = {
        "PIPELINING": operator.pipelining,
        "STARTTLS": operator.starttls is not StartTls.NO,
        "SMTPUTF8": operator.smtputf8,
        "8BITMIME": True,
        "ENHANCEDSTATUSCODES": operator.replies["accepted"][4:5] == "2",
        "SIZE 52428800": True,
    }
    return [name for name, present in offered.items() if present]
