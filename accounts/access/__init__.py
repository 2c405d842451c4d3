"""Who is calling, with which credential, and what they may do.

`models` has the credentials that a request may carry: a sign-in, an API key, a staff view of a customer's
account. `authentication` recognises them and says who calls, `calling` in which organisation, `views` has the
base views of all apps, `permissions` what a credential may do and whether its owner proved to be there lately,
`pages` guards pages, `page_context` says on them what the role opens, and `limits` counts requests before anything is
hashed or sent. How credentials are made and ended is the business of `signin`, `keys` and `staff`.
"""

__all__ = [
    "authentication",
    "calling",
    "known_devices",
    "limits",
    "models",
    "page_context",
    "pages",
    "permissions",
    "user_agents",
    "viewing_tokens",
    "views",
]
