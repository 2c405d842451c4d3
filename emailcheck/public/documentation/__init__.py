"""The documentation for developers: chapters in Markdown with samples of code in each language.

`generated_tables` and `error_catalogue` are made from the code; `make api` writes the same tables into
`docs/api.md`.
"""

__all__ = ["error_catalogue", "pages", "reason_rows"]
