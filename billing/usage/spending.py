"""Calls that may spend."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.users.models import User
from billing.ledger import debits
from billing.subscriptions.entitlements import TEST_CREDITS


class SpendingView(APIView):
    """A call that may spend: its answers, refusals too, say in `X-Credits-Remaining` what is left (DOC-036)."""

    spender: User | None = None

    def perform_authentication(self, request: Request) -> None:
        super().perform_authentication(request)
        self.spender = request.user if isinstance(request.user, User) else None

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if self.spender:
            answer["X-Credits-Remaining"] = str(_count_remaining(self.spender))
        return answer


def _count_remaining(user: User) -> int:
    return TEST_CREDITS if user.in_test_mode else debits.count_spendable_credits(user.pk)
