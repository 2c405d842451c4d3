"""Calls that may spend."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from billing import debits
from billing.plans import TEST_CREDITS


class SpendingView(APIView):
    """A call that may spend: its answers, refusals too, say in `X-Credits-Remaining` what is left (DOC-036)."""

    spender: User | None = None

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        self.spender = request.user if isinstance(request.user, User) else None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if self.spender:
            answer["X-Credits-Remaining"] = str(_left(self.spender))
        return answer


def _left(user: User) -> int:
    return TEST_CREDITS if user.in_test_mode else debits.left(user.pk)
