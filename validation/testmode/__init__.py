"""Test mode: what answers in the engine's place to calls with a test key (ADR 23).

`addresses` lists the addresses of test mode and what each does; the documentation is made from it.
`verdicts` gives those verdicts, at once and the same every time. Others use both; nothing here asks anybody
or costs anything.
"""

__all__ = ["addresses", "verdicts"]
