"""Probes the addresses served by one set of mail hosts, over one or more SMTP sessions.

`host_groups` finds the group of some hosts. A group (`host_group`) starts workers for its queue (`job_queue`). A worker
dials a host (`dialler`), sends recipients in rounds of one flush (`rounds`) and learns the hosts' pace. `rejections`
tracks which egress addresses were turned away. `failed_probes` builds the probe of an address that nobody was asked
about. Others use `host_groups.HostGroups`, `dialler.Dialler` and `failed_probes`.
"""

__all__ = ["dialler", "failed_probes", "host_groups"]
