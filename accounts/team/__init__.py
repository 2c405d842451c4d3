"""Who belongs to an organisation: invited, accepted, given another role, removed, gone; and to whom it belongs.

`members` changes and ends memberships, `invitations` makes new ones, `transfers` hands an organisation over, `holders`
sees to it that everybody holds one, `deletion` closes and erases one; `privacy` uses the last two and `members`.
"""

__all__ = [
    "api",
    "deletion",
    "emails",
    "holders",
    "invitation_api",
    "invitations",
    "members",
    "models",
    "serializers",
    "transfer_api",
    "transfers",
]
