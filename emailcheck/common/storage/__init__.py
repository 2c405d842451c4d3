"""What disk and database guarantee to callers, and the answers when these refuse.

durable    whether the database keeps what it acknowledged
commits    whether something was changed for good meanwhile
erasure    what was deleted is nowhere to be read
faults     507 STORAGE_FULL and 503 DATABASE_UNAVAILABLE, from the errors of disk and database
statements some at once, without a turn of this process between them
patience   work that goes on when the database is back
later      what follows an answer and is noted when the database takes it
conditions conditions of indexes that SQLite knows again in a query
"""

__all__ = [
    "commits",
    "conditions",
    "durable",
    "faults",
    "later",
    "patience",
    "prepared_reads",
    "schema_age",
    "statements",
]
