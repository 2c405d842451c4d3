"""Our egress addresses and the routes to a mail host.

`addresses` is an egress address with its HELO name. `connectors` connect directly or through a proxy, and guard against
private targets. `socks5` is the client's side of RFC 1928. `routable` says which IP addresses may be dialled.
`route_reports` says how operators treat each address. Others use `addresses` (Egress, EgressState), `connectors`
(Connector and its errors), `routable` and `route_reports`.
"""

__all__ = ["addresses", "connectors", "routable", "route_reports", "socks5"]
