"""Calls that may spend."""

from typing import Any

from django.db.models import Sum
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import User
from billing.plans import TEST_CREDITS
from billing.services import spendable_lots


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
    if user.in_test_mode:
        return TEST_CREDITS
    left: int | None = spendable_lots(user_id=user.pk).aggregate(total=Sum("remaining"))["total"]
    return left or 0
