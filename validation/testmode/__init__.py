"""Test mode: simulated verdicts for calls with a test key (ADR 23).

`addresses` lists the addresses of test mode and their behaviour; the documentation is generated from it. `verdicts`
returns those verdicts, at once and always the same. Other packages use both. Nothing here contacts a server or costs a
credit.
"""

__all__ = ["addresses", "verdicts"]
