"""Who: people and their sign-ins, API keys, staff and what they do.

`users` is the account itself, `access` how a request proves whose it is and what it may, `signin` the ways in,
`keys` the keys of developers, `activity` the log of what was done, `privacy` export and deletion, `staff` the
roles and the view of a customer. Lowest of the apps: it knows `emailcheck.common` alone.
"""
