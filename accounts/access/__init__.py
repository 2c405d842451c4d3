"""Who is calling, with which credential, and what they may do.

`models` has the credentials that a request may carry: a sign-in, an API key, a staff view of a customer's
account. `authentication` recognises them, `callers` says who calls, `permissions` has the base views and
permission classes of all apps, `pages` guards pages, `limits` counts requests before anything is hashed
or sent, and `confirmation` asks for a recent proof of the owner. How credentials are made and ended is
the business of `signin`, `keys` and `staff`.
"""

__all__ = [
    "api_keys",
    "callers",
    "confirmation",
    "known_devices",
    "limits",
    "models",
    "page_middleware",
    "pages",
    "permissions",
    "user_agents",
    "viewing_tokens",
    "views",
]
