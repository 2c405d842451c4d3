"""The reference of the API, laid out from its contract, and `/llms.txt` for programs.

`layout` arranges the calls as `emailcheck.contract.groups` does, `fields` describes their shapes.
"""

__all__ = ["pages"]
