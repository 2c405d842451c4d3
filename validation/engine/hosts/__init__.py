"""Probes the addresses served by one set of mail hosts, over one or more SMTP sessions.

`host_group` starts workers for a queue (`job_queue`). A worker dials a host (`dialler`), sends recipients in rounds of
one flush (`rounds`) and learns the hosts' pace. `rejections` tracks which egress addresses were turned away. `retries`
decides which addresses are asked about again. `failed_probes` builds the probe of an address that nobody was asked
about. Others use `host_group.HostGroup`, `dialler.Dialler` and `failed_probes`.
"""

__all__ = ["dialler", "failed_probes", "host_group"]
