"""Working through the addresses of one set of mail hosts, by one or more SMTP sessions.

`host_group` hires workers for a queue (`job_queue`); a worker dials a host (`dialler`), asks in rounds of
one flush (`rounds`) and learns the hosts' pace. `rejections` remembers which egress addresses were turned
away; `failed_probes` says what it means for an address when nobody could be asked.
Others use `host_group.HostGroup`, `dialler.Dialler` and `failed_probes`.
"""

__all__ = ["dialler", "failed_probes", "host_group"]
