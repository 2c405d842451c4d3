"""Our egress addresses, the operators' limits, and the hosts that we may call.

`addresses` knows the egress addresses, the start of their warm-up and the staff's decisions. `profile_file` reloads the
file of operators' limits when it changes. `settings` parses the environment's values for both, without Django.
`public_hosts` connects to customers' endpoints and providers' links, at public addresses only. Other packages use
`addresses` (the staff area, the verifier), `profile_file.current_profiles` and `public_hosts`.
"""

__all__ = ["addresses", "models", "profile_file", "public_hosts", "settings"]
