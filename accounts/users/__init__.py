"""The accounts themselves, and the rules for passwords.

`models` has `User`, its role and status; every other package points at it, so this one imports none of
them. `directory` finds accounts for staff, `ownership` says which organisations they own, `password_rules` and
`hashers` are named in the settings, `serializers` has the account as the API presents it.
"""

__all__ = ["directory", "models", "ownership", "password_rules", "serializers"]
