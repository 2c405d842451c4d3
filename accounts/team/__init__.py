"""Who belongs to an organisation: invited, accepted, given another role, removed, gone; and to whom it belongs."""

__all__ = ["models"]
