"""Django's SQLite, whose writers wait in a queue; see `base`."""
