"""What an organisation asks of those who sign in: a second factor, an address of its networks, Google.

`services` sets the rules that `accounts.organisations.admission` asks at each call, `domains` proves who owns a domain
of mail and keeps the proof fresh, `google_rule` says whose password no longer signs in. `emails` tells people.
"""

__all__ = ["api", "domains", "google_rule", "models", "services"]
