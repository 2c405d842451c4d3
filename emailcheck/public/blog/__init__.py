"""The blog: its pages, its feed, and the calls for programs.

The articles are Markdown files below `templates/blog`, read by `posts`; the sitemap reads them too.
"""

__all__ = ["api", "pages", "posts"]
