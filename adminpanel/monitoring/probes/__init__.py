"""Probes of the running product from outside, once a minute.

`services` probes each service and writes a sample; `outages` opens and closes incidents by the samples.
The status page and the alerts read the samples.
"""

__all__ = ["models", "outages", "services"]
