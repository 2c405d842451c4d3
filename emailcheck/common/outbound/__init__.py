"""What leaves the house: HTTP calls and mails.

`http` is the one door for calls to the outside, with bounds on time and size. `mail` is the one door for
mails: each app registers its kinds and sends in its own transaction; the queue delivers, and tries again
for a day.
"""

__all__ = ["http", "mail", "models"]
