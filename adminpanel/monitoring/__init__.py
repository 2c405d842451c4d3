"""What is measured of the product itself: requests, queues, machines, providers, and how it is shown.

`probes` try the parts, `measurements` are samples and figures, `incidents` and `alerts` follow from them, `status` is
the public health, `overview` the page of staff, `egress` the addresses that we ask from, `routines` what is proved
regularly. `targets` names what is watched; others use it for the words of the status page.
"""

__all__ = ["alerts", "egress", "incidents", "measurements", "overview", "routines", "status", "targets"]
