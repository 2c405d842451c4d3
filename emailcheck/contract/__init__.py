"""The contract of the API: the description of the calls that programs may make, and the whole one for staff.

`marks` says in the generated description which calls these are, `groups` arranges them and gives each its title,
`examples.json` has a real answer of test mode for each, `description` puts the public document together, `api` serves
both.
"""

__all__ = ["api", "description", "groups", "marks"]
