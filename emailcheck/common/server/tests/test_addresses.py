from emailcheck.common.server.addresses import AddressCounts, identify_client


def test_connections_are_counted_over_all_processes_and_forgotten_with_theirs() -> None:
    counts = AddressCounts(2)
    for process, change in ((0, 1), (1, 1), (1, 1), (0, -1)):
        counts.add(process, "192.0.2.1", change)
    counts.add(0, "192.0.2.2", 1)
    assert (counts.count("192.0.2.1"), counts.count("192.0.2.2"), counts.count("192.0.2.3")) == (2, 1, 0)
    counts.forget(1)
    assert (counts.count("192.0.2.1"), counts.count("192.0.2.2")) == (0, 1)


def test_a_network_of_ipv6_is_one_client() -> None:
    first, second, other = "2001:db8:1:2::1", "2001:db8:1:2:ffff::9%eth0", "2001:db8:1:3::1"
    assert identify_client(first) == identify_client(second) == "2001:db8:1:2::"
    assert identify_client(other) == "2001:db8:1:3::"
    assert (identify_client("::ffff:192.0.2.1"), identify_client("192.0.2.1")) == ("192.0.2.1", "192.0.2.1")
