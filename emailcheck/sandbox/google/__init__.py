"""Google's sign-in, played: OpenID Connect with a page on which any account can be chosen."""

__all__ = ["pages"]
