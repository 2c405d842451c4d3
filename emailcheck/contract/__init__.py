"""The contract of the API: the description of the calls that programs may make, and the whole one for staff.

`marks` says in the generated description which calls these are, `groups` arranges them and gives each its title,
`examples.json` has a real answer of test mode for each, `description` puts the public document together, `commands`
writes calls for a terminal, `mended_calls` those that stand for refused ones, `api` serves all.
"""

__all__ = ["api", "commands", "description", "groups", "marks", "mended_calls"]
