"""`EmailCheck` and `AsyncEmailCheck`, `Job` and `AsyncJob`: the same methods, of which one blocks and one awaits.
Options of lists are those of the API: `repair`, `max_credits`, `reuse_days`, `use_providers`, `private`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from emailcheck_client import __version__, lists, webhooks
from emailcheck_client.answers import Account, Credits, Draft, Page, Progress, Verdict
from emailcheck_client.exchange import Awaiting, Blocking, Connection, get, load, post
from emailcheck_client.lists import OnProgress, Pages, Source
from emailcheck_client.modes import Awaits, Blocks, answers, finish, gives_job, iterates
from emailcheck_client.settings import Settings, load_settings

C = TypeVar("C", bound="_Client")


class _Client:
    """What both clients are. The key is in the headers of the connection, and nowhere else."""

    webhooks = webhooks
    _connect: type[Connection]
    _job: type[Job | AsyncJob]

    def __init__(
        self,
        key: str,
        base_url: str | None = None,
        timeout: float = 30,
        max_retries: int = 4,
        *,
        allow_http: bool = False,
    ) -> None:
        """`timeout`: seconds for each step of a call. Raises `BadUsage` for a key or an address that cannot be one."""
        settings = Settings.build(key, base_url, allow_http=allow_http)
        self.base_url = settings.base_url
        headers = {"Authorization": f"Bearer {settings.key}", "User-Agent": f"emailcheck-client/{__version__}"}
        url = f"{settings.base_url}/api/v1/"
        self._connection = self._connect(max_retries, base_url=url, headers=headers, timeout=timeout)

    @classmethod
    def from_environment(cls: type[C], **options: Any) -> C:
        """With key and address from EMAILCHECK_API_KEY and EMAILCHECK_BASE_URL, else from the configuration file."""
        settings = load_settings()
        return cls(settings.key, settings.base_url, allow_http=settings.allow_http, **options)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self.base_url!r})"

    @answers
    async def check(self, email: str, *, repair: bool | None = None, use_providers: bool | None = None) -> Verdict:
        """Check one address now."""
        body = {"email": email, "repair": repair, "use_providers": use_providers}
        return Verdict.parse(await load(self._connection, post("validate/single", body)))

    @gives_job
    async def check_many(self, /, emails: Iterable[str], **options: Any) -> Any:
        """Start a list of addresses."""
        return await self._start("validate/bulk", {"emails": list(emails), **options})

    @gives_job
    async def upload(
        self, /, source: Source, *, column: str | None = None, sheet: str | None = None, **options: Any
    ) -> Any:
        """Start a list that a file holds: a path, or an open file."""
        body = {"email_column": column, "sheet": sheet, **options}
        return await self._start("validate/upload", body, lists.read_file(source))

    @answers
    async def inspect(
        self, /, source: Source, *, column: str | None = None, sheet: str | None = None, **options: Any
    ) -> Draft:
        """Send a file and be told what it holds and what it can cost; nothing is spent before `start`."""
        body = {"email_column": column, "sheet": sheet, **options}
        return Draft.parse(await load(self._connection, post("validate/upload/inspect", body, lists.read_file(source))))

    @gives_job
    async def start(self, draft: Draft) -> Any:
        """Start an inspected file."""
        return await self._start(f"validate/upload/{draft.upload_id}/start", {})

    @gives_job
    async def job(self, job_id: str) -> Any:
        """A list by its id."""
        return self._make_job(await load(self._connection, lists.ask_status(job_id)))

    @answers
    async def credits(self) -> Credits:
        """What can be spent."""
        return Credits.parse(await load(self._connection, get("credits")))

    @answers
    async def account(self) -> Account:
        """Whom the key belongs to, and what it may do."""
        return Account.parse(await load(self._connection, get("auth/me")))

    async def _list_jobs(self, limit: int) -> Pages[Any]:
        cursor: str | None = None
        while True:
            page = await load(self._connection, get("validate/batches", limit=limit, cursor=cursor))
            yield [self._make_job(raw) for raw in page.get("batches") or ()]
            cursor = page.get("next_cursor")
            if not cursor:
                return

    async def _start(self, path: str, body: dict[str, Any], file: tuple[str, bytes] | None = None) -> Any:
        return self._make_job(await load(self._connection, post(path, body, file)))

    def _make_job(self, raw: dict[str, Any]) -> Any:
        return self._job.parse(raw, connection=self._connection)


@dataclass(frozen=True)
class _Job(Progress):
    """A list, as it was when this was answered; each method asks anew."""

    connection: Connection = field(repr=False, compare=False, kw_only=True)

    @gives_job
    async def wait(self, on_progress: OnProgress | None = None) -> Any:
        """The list once it is complete. Raises `JobFailed`, `JobCancelled`, `JobPaused`."""
        return self._renew(lists.require_completed(await lists.poll(self.connection, self.id, on_progress)).raw)

    @iterates
    def results(
        self, *, after_row: int = 0, decision: str | None = None, on_progress: OnProgress | None = None
    ) -> Pages[Verdict]:
        """The verdicts in the order of the list, behind a row, once it has ended; `decision`: `safe`, `risky` or
        `do_not_send` alone. Raises `JobFailed`, `JobCancelled` behind the last of them."""
        return lists.read_results(self.connection, self.id, after_row, decision, on_progress)

    @answers
    async def page(self, cursor: str | None = None, *, limit: int = 100) -> Page:
        """A page of the results so far."""
        path = f"validate/batch/{self.id}/results"
        return Page.parse(await load(self.connection, get(path, cursor=cursor, limit=limit)))

    @answers
    async def export(self, path: str | os.PathLike[str], format: str = "csv", filter: str | None = None) -> Path:
        """Write the results to a file once the list has ended. `filter`: a segment of the API, such as `safe`."""
        return await lists.save_export(self.connection, self.id, Path(path), format, filter)

    @gives_job
    async def cancel(self) -> Any:
        """Stop it; what is done stays, the credits of the rest come back."""
        return await self._act("cancel")

    @gives_job
    async def recheck(self) -> Any:
        """Check its unknown addresses again: free, once."""
        return await self._act("recheck")

    async def _act(self, verb: str) -> Any:
        await load(self.connection, post(f"validate/batch/{self.id}/{verb}"))
        return self._renew(await load(self.connection, lists.ask_status(self.id)))

    def _renew(self, raw: Any) -> Any:
        return type(self).parse(raw, connection=self.connection)


class Job(_Job, Blocks):
    """A list whose methods block."""


class AsyncJob(_Job, Awaits):
    """A list whose methods are awaited."""


class EmailCheck(_Client, Blocks):
    """The service, for programs that block. A context manager; without one, `close` ends the connection."""

    _connect, _job = Blocking, Job

    def jobs(self, *, limit: int = 100) -> Iterator[Job]:
        """The lists of the account, newest first. `limit`: how many are fetched at once."""
        return self._iterate(type(self)._list_jobs, limit)

    def close(self) -> None:
        """End the connection."""
        finish(self._connection.shut())

    def __enter__(self) -> EmailCheck:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncEmailCheck(_Client, Awaits):
    """The service, for asyncio. An asynchronous context manager; without one, `aclose` ends the connection."""

    _connect, _job = Awaiting, AsyncJob

    def jobs(self, *, limit: int = 100) -> AsyncIterator[AsyncJob]:
        """The lists of the account, newest first. `limit`: how many are fetched at once."""
        return self._iterate(type(self)._list_jobs, limit)

    async def aclose(self) -> None:
        """End the connection."""
        await self._connection.shut()

    async def __aenter__(self) -> AsyncEmailCheck:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
