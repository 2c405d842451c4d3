"""The simulated world as data, read from `world.toml`.

`world` has operators, hosts and domains, `mailboxes` the existing names, `limits` the companies' limits. `loader` reads
and checks the file. `expectations` computes the right verdict for each address, for pages, samples and tests.
"""

__all__ = ["expectations", "limits", "loader", "mailboxes", "world"]
