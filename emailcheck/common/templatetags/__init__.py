"""Tags and filters of templates: islands, what stands in the head of a page, and texts."""

__all__ = []
