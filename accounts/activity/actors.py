"""Who of the staff did a thing: number, name and address are written with it, and stay when the account goes."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.contrib.auth import get_user_model
from django.db import models

Names = Mapping[int, tuple[str, str]]


class StaffAct(models.Model):
    """An act of staff, with name and address as they were then.

    Its models have a column `staff_id` too, which is no foreign key, so that the row outlives the account.
    """

    staff_id: Any
    staff_name = models.CharField(max_length=150, blank=True, default="", db_default="", editable=False)
    staff_email = models.CharField(max_length=254, blank=True, default="", db_default="", editable=False)

    class Meta:
        abstract = True


def snapshot_actor(by: Any) -> dict[str, Any]:
    """The three columns of an act: by an account, copied from another act, or (None) by the server."""
    if by is None:
        return {"staff_id": None, "staff_name": "", "staff_email": ""}
    if isinstance(by, StaffAct):
        return {"staff_id": by.staff_id, "staff_name": by.staff_name, "staff_email": by.staff_email}
    return {"staff_id": by.pk, "staff_name": by.name, "staff_email": by.email}


def stamp_actor(row: StaffAct, by: Any) -> list[str]:
    """Set who acts on an unsaved row now, in place of the last actor. Returns the columns."""
    who = snapshot_actor(by)
    for column, value in who.items():
        setattr(row, column, value)
    return list(who)


def load_current_actors(acts: Iterable[StaffAct]) -> Names:
    """Name and address of those who did these, by number, so far as their accounts are there."""
    ids = {act.staff_id for act in acts} - {None}
    people = get_user_model().objects.filter(pk__in=ids, deleted_at=None)
    return {pk: (name, email) for pk, name, email in people.values_list("pk", "name", "email")}


def format_actor(act: StaffAct, there: Names) -> str | None:
    """Such as `Sam Staff (sam@emailcheck.app)`, with `, deleted` where the account is not `there`; None: nobody."""
    if act.staff_id is None:
        return None
    name, email = (act.staff_name, act.staff_email) if act.staff_email else there.get(act.staff_id, ("", ""))
    who = f"{name} ({email})" if email else f"account {act.staff_id}"
    return who if act.staff_id in there else f"{who}, deleted"


def format_actors(acts: Iterable[StaffAct]) -> list[str | None]:
    """Who did each of these, in words."""
    rows = list(acts)
    there = load_current_actors(rows)
    return [format_actor(act, there) for act in rows]
