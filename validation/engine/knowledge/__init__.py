"""What lists say about a domain or a mailbox name, without a network request.

`domain_lists` answers whether a domain is disposable, a relay or a free provider, whether a name is a role account, and
which domain was probably meant. `list_files` reads the files in `data`. `refresh_lists` compiles them from public
packages (`python -m validation.engine.knowledge.refresh_lists`). Others use `domain_lists` (ListFacts); the reply
lexicon reads its words through `list_files`.
"""

__all__ = ["domain_lists", "list_files"]
