"""Methods that are written once, as coroutines, and block in one class and await in another: what blocks runs on a
connection (`exchange.Blocking`) whose coroutines never suspend, so that one step ends them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, overload

if TYPE_CHECKING:
    from emailcheck_client.client import AsyncJob, Job

P = ParamSpec("P")
T = TypeVar("T")
R_co = TypeVar("R_co", covariant=True)


def finish(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine comes to that never suspends."""
    try:
        work.send(None)
    except StopIteration as end:
        answer: T = end.value
        return answer
    raise RuntimeError("A blocking call has suspended.")


class Blocks:
    """Its methods answer."""

    def _run(self, written: Callable[..., Coroutine[Any, Any, T]], *given: Any, **named: Any) -> T:
        return finish(written(self, *given, **named))

    def _iterate(self, written: Callable[..., AsyncGenerator[list[T], None]], *given: Any, **named: Any) -> Iterator[T]:
        pages = written(self, *given, **named)
        try:
            while True:
                yield from finish(pages.__anext__())
        except StopAsyncIteration:
            return
        finally:
            finish(pages.aclose())


class Awaits:
    """Its methods are awaited."""

    def _run(self, written: Callable[..., Awaitable[T]], *given: Any, **named: Any) -> Awaitable[T]:
        return written(self, *given, **named)

    async def _iterate(
        self, written: Callable[..., AsyncGenerator[list[T], None]], *given: Any, **named: Any
    ) -> AsyncIterator[T]:
        async with aclosing(written(self, *given, **named)) as pages:
            async for page in pages:
                for item in page:
                    yield item


class _Written:
    """A method of either class."""

    def __init__(self, written: Callable[..., Any], how: str) -> None:
        self._written, self._how = written, how
        self.__doc__ = written.__doc__

    def __get__(self, owner: Any, kind: Any = None) -> Any:
        return self if owner is None else partial(getattr(owner, self._how), self._written)


class _Answering(Protocol[P, R_co]):
    @overload
    def __get__(self, owner: Blocks, kind: Any = None) -> Callable[P, R_co]: ...
    @overload
    def __get__(self, owner: Awaits, kind: Any = None) -> Callable[P, Awaitable[R_co]]: ...


class _GivingJob(Protocol[P]):
    @overload
    def __get__(self, owner: Blocks, kind: Any = None) -> Callable[P, Job]: ...
    @overload
    def __get__(self, owner: Awaits, kind: Any = None) -> Callable[P, Awaitable[AsyncJob]]: ...


class _Iterating(Protocol[P, R_co]):
    @overload
    def __get__(self, owner: Blocks, kind: Any = None) -> Callable[P, Iterator[R_co]]: ...
    @overload
    def __get__(self, owner: Awaits, kind: Any = None) -> Callable[P, AsyncIterator[R_co]]: ...


def answers(written: Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]) -> _Answering[P, T]:
    """A method that answers the same in both classes."""
    return _Written(written, "_run")


def gives_job(written: Callable[Concatenate[Any, P], Coroutine[Any, Any, Any]]) -> _GivingJob[P]:
    """A method that answers a list, which blocks or awaits as its maker does."""
    return _Written(written, "_run")


def iterates(written: Callable[Concatenate[Any, P], AsyncGenerator[list[T], None]]) -> _Iterating[P, T]:
    """A method that answers an iterator over the items of pages."""
    return _Written(written, "_iterate")
