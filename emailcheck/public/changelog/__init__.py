"""What has changed for those who build on the API: a page, an Atom feed, and the entries as data.

`entries` holds them, newest first; the answers of deprecated things point to their anchors.
"""

__all__ = ["entries", "pages"]
