"""What is asked of mail hosts about one address, and what they answered.

`probe` is the answer about one recipient and the session that brought it; `tickets` are addresses that wait
for their probe, and jobs of some of one domain; `catch_all` remembers by domain whether a random recipient
was accepted.
Used by `limits`, `hosts`, `verdict` and `calls`; plain data, no sessions are opened here.
"""

__all__ = ["catch_all", "probe", "tickets"]
