"""Callers who mean harm, over real sockets against the real product, and a visitor who must not notice."""
