"""Lists of the staff, page by page: the size of a page, the search for a text, the answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import models
from django.db.models import Q, QuerySet
from rest_framework.response import Response

from emailcheck.common.api import pagination
from emailcheck.common.api.pagination import Order
from emailcheck.common.api.serializers import Shape

PAGE_ROWS = 50
Row = TypeVar("Row", bound=models.Model)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """Rows of a list, how many were found altogether, and the cursor of the next page (None: there is none)."""

    rows: list[Row]
    total: int
    next: str | None


def build_newest_page(found: QuerySet[Row], cursor: str) -> Page[Row]:
    rows, after = pagination.page_newest(found, size=PAGE_ROWS, cursor=cursor)
    return Page(rows, found.count(), after)


def build_page(found: QuerySet[Row], order: Order, cursor: str) -> Page[Row]:
    rows, after = pagination.page_ordered(found, order, size=PAGE_ROWS, cursor=cursor)
    return Page(rows, found.count(), after)


def match_text(text: str, columns: tuple[str, ...]) -> Q:
    found = Q()
    for column in columns:
        found |= Q(**{f"{column}__icontains": text})
    return found


def build_page_response(
    shape: type[Shape], name: str, shown: Callable[[Any], Any], page: Page[Any], **more: Any
) -> Response:
    """A page of a list, its rows under `name`."""
    answer = {name: map(shown, page.rows), "total": page.total, "next": page.next, **more}
    return Response(shape(answer).data)
