"""The mails that the product sent: bounded, kept over restarts, one JSON file for each."""

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from pathlib import Path

_MAX_MAILS = 500
_URL = re.compile(r"https?://[^\s<>\"']+[^\s<>\"'.,;:!?)\]]")


@dataclass(frozen=True, slots=True)
class Mail:
    """One mail. `date` is when it arrived (ISO 8601, UTC); `links` the web addresses in it, in order."""

    id: int
    date: str
    sender: str
    to: str
    subject: str
    text: str
    html: str
    links: tuple[str, ...]


class Outbox:
    """The last 500 mails, newest first. Raises `OSError` when its folder cannot be written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        stored = map(_read_mail, sorted(folder.glob("*.json")))
        self._mails = deque(mail for mail in stored if mail is not None)
        self._last_id = self._mails[-1].id if self._mails else 0

    def __iter__(self) -> Iterator[Mail]:
        return reversed(self._mails)

    def __len__(self) -> int:
        return len(self._mails)

    def to(self, address: str) -> list[Mail]:
        """The mails to an address, in any case of letters, newest first."""
        return [mail for mail in self if address.lower() in mail.to.lower().split(", ")]

    def get(self, mail_id: int) -> Mail | None:
        """The mail of that number, if it is still kept."""
        return next((mail for mail in self._mails if mail.id == mail_id), None)

    def add(self, sender: str, recipients: list[str], content: bytes) -> Mail:
        """Keep a mail as it came over SMTP; the oldest one makes room."""
        self._last_id += 1
        mail = replace(_parse_mail(content), id=self._last_id, sender=sender, to=", ".join(recipients))
        self._path(mail).write_text(json.dumps(asdict(mail), ensure_ascii=False), encoding="utf-8")
        self._mails.append(mail)
        while len(self._mails) > _MAX_MAILS:
            self._path(self._mails.popleft()).unlink(missing_ok=True)
        return mail

    def clear(self) -> None:
        """Forget every mail. Numbers are not given out again."""
        while self._mails:
            self._path(self._mails.popleft()).unlink(missing_ok=True)

    def _path(self, mail: Mail) -> Path:
        return self._folder / f"{mail.id:08d}.json"


def _read_mail(path: Path) -> Mail | None:
    """The mail in a file; None for what a process that died while it wrote has left."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None
    return Mail(**stored | {"links": tuple(stored["links"])})


def _parse_mail(content: bytes) -> Mail:
    message = message_from_bytes(content, policy=policy.default)
    text, html = _extract_body(message, "plain"), _extract_body(message, "html")
    return Mail(
        id=0,
        date=datetime.now(UTC).isoformat(timespec="milliseconds"),
        sender="",
        to="",
        subject=str(message.get("Subject", "")),
        text=text,
        html=html,
        links=_list_links(text, html),
    )


def _extract_body(message: EmailMessage, subtype: str) -> str:
    part = message.get_body(preferencelist=(subtype,))
    return str(part.get_content()).replace("\r\n", "\n") if part is not None else ""


def _list_links(text: str, html: str) -> tuple[str, ...]:
    anchors = _Anchors()
    anchors.feed(html)
    return tuple(dict.fromkeys([*anchors.addresses, *_URL.findall(text)]))


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        address = dict(attrs).get("href") or ""
        if tag == "a" and address.startswith(("http://", "https://")):
            self.addresses.append(address)
