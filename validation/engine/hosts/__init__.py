"""Probes the addresses served by one set of mail hosts, over one or more SMTP sessions.

`host_groups` finds the group of some hosts. A group (`host_group`) starts workers for its queue of jobs. A worker
dials a host (`dialler`) and sends recipients in rounds of one flush (`rounds`). `behaviour` has what the hosts did so
far: how fast they answer, and which egress addresses they turned away. Others use `host_groups.HostGroups` and
`dialler.Dialler`.
"""

__all__ = ["dialler", "host_groups"]
