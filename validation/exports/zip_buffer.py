"""Zip files that are sent while they are written."""


class ZipBuffer:
    """Collects the output of a `zipfile.ZipFile`, to be read piece by piece. It cannot be sought, so that the writer
    puts sizes behind each member (APPNOTE.TXT of PKWARE, 4.3.9)."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Does nothing: the buffer is never flushed."""

    def close(self) -> None:
        """Does nothing: there is no file to close."""

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken
