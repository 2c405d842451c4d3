"""The simulated mail internet: domains, a name server, and mail hosts behind a SOCKS5 proxy.

`scenario` is the world as data, `dns` answers questions about it, `smtp` plays its mail hosts,
`socks_server` is the one way in; `certificate` makes the hosts' TLS certificates.
Used by the sandbox's runtime and pages; `providers` reads the scenario to know the truth about a mailbox.
"""

__all__ = ["certificate", "dns", "scenario", "smtp", "socks_server"]
