"""The base views of calls: without a sign-in, public, for staff."""

from typing import Any

from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.models import SignIn
from accounts.users.models import User
from emailcheck.common.errors import NotAuthenticated, Refused

STAFF_ONLY = "Admin access required."


class Guarded(APIView):
    """A call without a sign-in that takes credentials or sends mail: so many a minute and client address."""

    authentication_classes: Any = ()
    permission_classes: Any = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.count(request)

    def count(self, request: Request) -> None:
        limits.count_guarded()


class PublicView(Guarded):
    """A public, read-only call: so many a minute from a client address."""

    def count(self, request: Request) -> None:
        limits.count_public()


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
