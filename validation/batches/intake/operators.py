"""The operators of free-mailbox domains, as far as known without a lookup. Pure."""

from collections import Counter
from collections.abc import Iterable

_DOMAINS = {
    "google": ("gmail.com", "googlemail.com"),
    "microsoft": ("outlook.com", "msn.com", "passport.com", "windowslive.com"),
    "yahoo": ("aol.com", "aim.com", "ymail.com", "rocketmail.com", "myyahoo.com"),
    "apple": ("icloud.com", "me.com", "mac.com"),
    "gmx": ("gmx.net", "gmx.de", "gmx.com", "gmx.at", "gmx.ch", "web.de"),
    "mailru": ("mail.ru", "bk.ru", "inbox.ru", "list.ru", "internet.ru"),
    "yandex": ("yandex.ru", "yandex.com", "ya.ru", "yandex.by", "yandex.kz", "narod.ru"),
    "tencent": ("qq.com", "foxmail.com"),
    "netease": ("163.com", "126.com", "yeah.net"),
    "orange": ("orange.fr", "wanadoo.fr"),
    "comcast": ("comcast.net",),
}
_FAMILIES = {"outlook": "microsoft", "hotmail": "microsoft", "live": "microsoft", "yahoo": "yahoo", "gmx": "gmx"}
"""Names with domains in many countries: hotmail.fr, yahoo.co.uk."""
_LABELS_OF_A_COUNTRY = frozenset({"co", "com", "net"})
_BY_DOMAIN = {domain: operator for operator, domains in _DOMAINS.items() for domain in domains}


def operator_of(domain: str) -> str:
    """The operator of a domain of free mailboxes, as far as it is known without asking; "" for any other.

    >>> operator_of("yahoo.co.uk"), operator_of("hotmail.fr"), operator_of("yahoo.example.com")
    ('yahoo', 'microsoft', '')
    """
    known = _BY_DOMAIN.get(domain)
    if known is not None:
        return known
    family, *rest = domain.split(".")
    if family not in _FAMILIES:
        return ""
    is_national = len(rest) == 1 or (len(rest) == 2 and rest[0] in _LABELS_OF_A_COUNTRY and len(rest[1]) == 2)
    return _FAMILIES[family] if is_national else ""


def count_operators(domains: Iterable[tuple[str, int]]) -> dict[str, int]:
    """The number of rows of each operator. Rows of other domains are left out."""
    counts: Counter[str] = Counter()
    for domain, rows in domains:
        operator = operator_of(domain)
        if operator:
            counts[operator] += rows
    return dict(counts)
