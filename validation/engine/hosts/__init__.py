"""Probes the addresses served by one set of mail hosts, over one or more SMTP sessions.

A group of hosts (`host_group`) starts workers for its queue of jobs. A worker dials a host (`dialler`) and sends
recipients in rounds of one flush (`rounds`). `behaviour` has what the hosts did so far: how fast they answer, which
egress addresses they turned away, and what is reported of that. Others use `host_group.HostGroup` and
`dialler.Dialler`.
"""

__all__ = ["dialler", "host_group"]
