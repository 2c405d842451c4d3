"""What a mail server would answer in place of an error of HTTP: our error pages quote it (RFC 3463)."""

_REPLIES = {
    400: "501 5.5.2 <{}>: cannot be read",
    403: "550 5.7.1 <{}>: not permitted",
    404: "550 5.1.1 <{}>: no such page here",
    413: "552 5.3.4 <{}>: too large for this system",
    500: "451 4.3.0 <{}>: error on our side, try again",
    503: "421 4.3.2 <{}>: not accepting requests now, try again",
    507: "452 4.3.1 <{}>: storage is full",
}


def quote_reply(status: int, page: str = "this page") -> str:
    """Such as `550 5.1.1 </blog/nothing>: no such page here`."""
    other = _REPLIES[500] if status >= 500 else "550 5.0.0 <{}>: refused"
    return _REPLIES.get(status, other).format(page)
