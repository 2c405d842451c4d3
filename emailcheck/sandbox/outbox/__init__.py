"""The mailbox of the simulated world: an SMTP sink that keeps what the product sends, to be read in a browser."""

__all__ = ["sink", "store"]
