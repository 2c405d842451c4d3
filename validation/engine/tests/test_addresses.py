"""The guard: only globally routable unicast addresses are ever dialled."""

import pytest

from validation.engine.egress.connectors import DirectConnector, GuardedConnector, UnroutableError
from validation.engine.egress.routable import is_routable
from validation.engine.smtp.reply_stream import ReplyStream

REFUSED = """
0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255
:: ::1 ::8.8.8.8 ::ffff:8.8.8.8 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:db8::1 2002:808:808::1 3fff::1 5f00::1
fc00::1 fe80::1 fec0::1 ff02::1 fe80::1%eth0 2600::5efe:8.8.8.8 2600::200:5efe:808:808
0x7f.1 2130706433 127.1 0177.0.0.1 １.1.1.1 localhost
"""


@pytest.mark.parametrize("ip", [*REFUSED.split(), "", " 8.8.8.8", "8.8.8.8 "])
def test_refused(ip: str) -> None:
    assert not is_routable(ip)


@pytest.mark.parametrize("ip", ["8.8.8.8", "11.0.0.1", "2600:1f00::5", "2a00:1450:4001::1a"])
def test_allowed(ip: str) -> None:
    assert is_routable(ip)


async def test_the_guard_stands_before_every_connector() -> None:
    with pytest.raises(UnroutableError):
        await GuardedConnector(DirectConnector()).connect(ReplyStream, "127.0.0.1", 25)
