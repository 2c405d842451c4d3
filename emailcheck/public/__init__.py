"""Pages for everybody: no sign-in needed. One module for each group of pages.

`page_frame` is what they share, `caching` how long a visitor may keep them; `reference` and `documentation` are for
developers, `changelog` what has changed for them, `blog` its posts. The routes of the site use the pages.
"""

__all__ = [
    "about",
    "blog",
    "changelog",
    "contact",
    "documentation",
    "errors",
    "help_center",
    "landing",
    "legal",
    "machine_files",
    "newsletter",
    "page_frame",
    "reference",
    "status",
]
