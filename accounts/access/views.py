"""The base views of calls: without a sign-in, public, for staff; and the one for calls that there are not."""

from typing import Any

from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.models import SignIn
from accounts.users.models import User
from emailcheck.common.api.queries import require_known_parameters
from emailcheck.common.errors import NotAuthenticated, NotFound, ProductError, Refused, TooMany

STAFF_ONLY = "Admin access required."


class Guarded(APIView):
    """A call without a sign-in that takes credentials or sends mail: so many a minute and client address.

    One for programs is `open_to_programs`: it stands in the contract, and refuses parameters that it does not take.
    """

    authentication_classes: Any = ()
    permission_classes: Any = ()
    open_to_programs = False

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.count(request)
        if self.open_to_programs:
            require_known_parameters(request, self)

    def count(self, request: Request) -> None:
        limits.count_guarded()


class PublicView(Guarded):
    """A public, read-only call: so many a minute from a client address."""

    def count(self, request: Request) -> None:
        limits.count_public()


class UnknownCall(APIView):
    """Any method of an address that no call has: 404, counted as every call."""

    permission_classes = ()

    def perform_authentication(self, request: Request) -> None:
        """A credential is counted; that it is a wrong one matters to no call that there is."""
        try:
            super().perform_authentication(request)
        except TooMany:
            raise
        except (AuthenticationFailed, ProductError):
            return

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        raise NotFound("Not found.")

    options = http_method_not_allowed


class StaffView(APIView):
    """A call for staff: whoever is not signed in gets 401, everybody else 403, in the same words (SEC-008).

    Keys of staff, and suspended staff, are refused like everybody else.
    """

    right = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        try:
            user = request.user
        except (AuthenticationFailed, NotAuthenticated) as error:
            raise NotAuthenticated(STAFF_ONLY) from error
        except Refused as error:
            raise Refused(STAFF_ONLY) from error
        if request.auth is None:
            raise NotAuthenticated(STAFF_ONLY)
        if not isinstance(request.auth, SignIn) or not isinstance(user, User) or not user.is_staff:
            raise Refused(STAFF_ONLY)
        super().initial(request, *args, **kwargs)
