"""Pages that compose several apps, and the way into the sandbox."""

from django.http import HttpRequest, HttpResponse
def landing(request: HttpRequest) -> HttpResponse: return HttpResponse()
dashboard = batch = result = sandbox = landing
