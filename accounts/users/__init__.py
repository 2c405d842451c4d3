"""The accounts themselves, and the rules for passwords.

`models` has `User`, its role and status; every other package points at it, so this one imports none of
them. `directory` finds accounts for staff, `password_rules` and `hashers` are named in the settings,
`serializers` has the account as the API presents it.
"""

__all__ = ["directory", "models", "password_rules", "serializers"]
