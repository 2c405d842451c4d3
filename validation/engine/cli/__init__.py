"""The command line of the engine: reads lists, prints verdicts in their order, shows progress.

`list_reader` reads addresses from a text or CSV as it comes, `list_run` runs them through a verifier,
`ordered_spool` puts lines in order with the help of a temporary file, `printing` formats them, `progress`
and `wait_texts` report to the terminal, `retry_queue` keeps addresses that are to be asked for again.
Used by `validation.engine.__main__` alone.
"""

__all__ = ["garbage_collection", "list_reader", "list_run", "printing", "progress"]
