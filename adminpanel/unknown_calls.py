"""What begins like a staff call and is none."""

from rest_framework.request import Request

from accounts.access.views import StaffView
from emailcheck.common.errors import NotFound


class Nothing(StaffView):
    """Whatever else begins like a staff call: only staff learn that there is nothing."""

    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("Not found.")
