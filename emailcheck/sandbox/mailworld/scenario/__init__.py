"""The simulated world as data, read from `world.toml`.

`world` holds operators, hosts and domains, `mailboxes` which names exist, `limits` what companies put up
with; `loader` reads and checks the file; `expectations` works out the verdict that each address should get,
for pages, samples and tests.
"""

__all__ = ["expectations", "limits", "loader", "mailboxes", "world"]
