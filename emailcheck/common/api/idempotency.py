"""Calls that may be repeated without happening twice: the `Idempotency-Key` header.

The first answer to a key is stored for 24 hours and returned to every repetition. A call that was refused changed
nothing and is forgotten, so that it can be tried again with the same key; when it was refused because a disk was full
or the database away, as soon as the database takes that. After a fault of ours, or when the process dies before it
answers, nobody knows what was done: the key stays taken (409), a safe "look what happened" instead of a second charge.
"""

import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any

from django.db import IntegrityError, transaction
from django.http import QueryDict
from django.utils import timezone
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from emailcheck.common import request_context
from emailcheck.common.api.models import IdempotentCall
from emailcheck.common.api.negotiation import ApiJSONEncoder
from emailcheck.common.errors import BadInput, Conflict, ProductError, Unprocessable
from emailcheck.common.storage import commits, faults, later

HEADER = "Idempotency-Key"
RETENTION = timedelta(hours=24)
_KEPT_HEADERS = ("Location", "Retry-After")
_WELL_FORMED = re.compile(r"[\x21-\x7e]{1,255}")

Method = Callable[..., Response]
_repeatable: set[Method] = set()


def idempotent(method: Method) -> Method:
    """Decorate the `post` of an API view that moves credits or money.

    Raises `Conflict` (`IDEMPOTENCY_IN_FLIGHT`) while the first call is being answered, `Unprocessable`
    (`IDEMPOTENCY_MISMATCH`) when the key came with another body.
    """

    @wraps(method)
    def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response:
        key = request.headers.get(HEADER, "")
        if not key:
            return method(view, request, *args, **kwargs)
        if not _WELL_FORMED.fullmatch(key):
            raise BadInput(f"{HEADER} must be 1 to 255 visible ASCII characters.", field=HEADER, value=key)
        call, is_first = _claim_key(request, _build_key(request) + key)
        if not is_first:
            return _replay_answer(call)
        with commits.watching_changes() as changes:
            try:
                answer = method(view, request, *args, **kwargs)
            except Exception as error:
                if _was_refused(error, changes):
                    later.run_now_or_later(call.delete)
                raise
        call.status, call.body = answer.status_code, json.loads(json.dumps(answer.data, cls=ApiJSONEncoder))
        call.headers = {name: answer[name] for name in _KEPT_HEADERS if name in answer}
        later.run_now_or_later(lambda: call.save(update_fields=["status", "body", "headers"]))
        return answer

    _repeatable.add(once)
    return once


def is_repeatable(method: Method) -> bool:
    """Whether a method of a view takes an `Idempotency-Key`."""
    return method in _repeatable


def delete_old_keys() -> None:
    """Delete the keys that are older than 24 hours."""
    IdempotentCall.objects.filter(created_at__lt=timezone.now() - RETENTION).delete()


def _was_refused(error: Exception, changes: commits.Changes) -> bool:
    """Whether the call certainly changed nothing; a commit under way leaves that open."""
    if isinstance(error, ProductError | APIException):
        return True
    changed = changes.are_committed or faults.may_have_committed(error)
    return not changed and faults.find_refusal(error) is not None


def _build_key(request: Request) -> str:
    """A key of test mode is another than the same one of live mode, and so is one of a person in another organisation
    than their own. No caller can send a space in one."""
    person = request_context.current_person()
    if person is not None and person.organisation_id != person.user_id:
        return f"{person.organisation_id} "
    return "test " if getattr(request.user, "in_test_mode", False) else ""


def _claim_key(request: Request, key: str) -> tuple[IdempotentCall, bool]:
    mine = {"user_id": request.user.pk, "key": key}
    fingerprint = _hash_request(request)
    IdempotentCall.objects.filter(**mine, created_at__lt=timezone.now() - RETENTION).delete()
    try:
        with transaction.atomic():
            return IdempotentCall.objects.create(**mine, fingerprint=fingerprint), True
    except IntegrityError:
        earlier = IdempotentCall.objects.filter(**mine).first()
    if earlier is None:  # refused and forgotten between the two queries: the key has no answer now
        raise _build_in_flight_error()
    if earlier.fingerprint != fingerprint:
        raise Unprocessable(f"This {HEADER} was used with another request.", code="IDEMPOTENCY_MISMATCH")
    return earlier, False


def _replay_answer(call: IdempotentCall) -> Response:
    if call.status is None:
        raise _build_in_flight_error()
    return Response(call.body, status=call.status, headers={**call.headers, "Idempotent-Replayed": "true"})


def _build_in_flight_error() -> Conflict:
    return Conflict(
        "The first request with this key has not been answered yet. Look into your history before you repeat it.",
        code="IDEMPOTENCY_IN_FLIGHT",
    )


def _hash_request(request: Request) -> str:
    digest = hashlib.sha256(f"{request.method} {request.path}\n".encode())
    sent = request.data
    if isinstance(sent, QueryDict):
        sent = {name: sent.getlist(name) for name in sent if name not in request.FILES}
    digest.update(json.dumps(sent, sort_keys=True).encode())
    for name, file in sorted(request.FILES.items()):
        digest.update(f"\n{name} {file.name}\n".encode())
        for piece in file.chunks():
            digest.update(piece)
        file.seek(0)
    return digest.hexdigest()
