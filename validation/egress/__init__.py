"""Our egress addresses, the operators' limits, and the hosts that we may call.

`addresses` knows the egress addresses, the start of their warm-up and the staff's decisions. `polling` reads them and
the file of operators' limits again while the product runs. `settings` parses the environment's values for both,
without Django. `public_hosts` connects to customers' endpoints and providers' links, at public addresses only. Other
packages use `addresses` (the staff area), `polling` (the verifier) and `public_hosts`.
"""

__all__ = ["addresses", "models", "polling", "public_hosts", "settings"]
