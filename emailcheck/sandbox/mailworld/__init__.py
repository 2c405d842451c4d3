"""The simulated mail internet: domains, a name server, and mail hosts behind a SOCKS5 proxy.

`scenario` is the world as data, `dns` answers queries about it, `smtp` simulates its mail hosts, `socks_server` is the
only entrance; `certificate` creates the hosts' TLS certificates. Used by the sandbox's runtime and pages; `providers`
reads the true state of mailboxes from the scenario.
"""

__all__ = ["certificate", "dns", "scenario", "smtp", "socks_server"]
