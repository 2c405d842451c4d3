"""The reference of the API, laid out from its OpenAPI description, and `/llms.txt` for programs.

`layout` arranges the calls by `groups`, `fields` describes their shapes; `examples.json` has one answer
for each call. `reach` says in a few words what keys reach.
"""

__all__ = ["pages", "reach"]
