"""What an organisation asks of those who sign in: a second factor, an address of its networks, Google."""

__all__ = ["models"]
