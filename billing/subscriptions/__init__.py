"""The plan of an account: which one, what it allows, and the credits that it brings each month.

`entitlements` is the answer at every gate: the plan that counts now, its features, limits and usage.
`services` begins, renews, extends, changes and ends a plan, with the account locked. `lifecycle` has what
its owner, time and the provider do with it.

Others use `entitlements`, `services`, `welcome_credits` (the full checks of a new account), `members` (their caps),
`subscription_status` (the figures of many accounts at once), `staff_changes`, and `presentation`.
`periods` says when a plan is charged next.
"""

__all__ = [
    "api",
    "emails",
    "entitlements",
    "lifecycle",
    "members",
    "members_api",
    "models",
    "periods",
    "presentation",
    "serializers",
    "services",
    "staff_changes",
    "subscription_status",
    "welcome_credits",
]
