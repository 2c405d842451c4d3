"""What is known of domains and mailbox names, without a network request.

`domains` answers whether a domain is disposable, a relay or a free provider, whether a name is a role account, which
domain was probably meant, and whether a domain accepted a random recipient lately. `list_files` reads the files in
`data`. `refresh_lists` compiles them from public packages (`python -m validation.engine.knowledge.refresh_lists`).
Others use `domains`; the reply lexicon reads its words through `list_files`.
"""

__all__ = ["domains", "list_files"]
