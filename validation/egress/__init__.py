"""Our ways out: the egress addresses that verify, the operators' limits, and who may be reached at all.

`addresses` knows which egress addresses there are, since when they warm up and what staff decided about
them. `profile_file` reads the file of operators' limits again when it changes. `settings` parses what the
environment says of both, without Django. `public_hosts` dials customers' endpoints and providers' links at
public addresses alone. Others use `addresses` (the staff area, the verifier),
`profile_file.current_profiles` and `public_hosts`.
"""

__all__ = ["addresses", "models", "profile_file", "public_hosts", "settings"]
