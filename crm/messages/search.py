"""The staff's lists of messages and subscribers."""

from django.db.models import QuerySet

from crm.messages.models import Message, Subscriber
from crm.text_search import match_words


def search_messages(*, search: str = "", state: str = "") -> QuerySet[Message]:
    """The messages of a state that contain each word."""
    found = Message.objects.filter(match_words(search, "name", "email", "subject", "text"))
    return found.filter(state=state) if state else found


def search_subscribers(*, search: str = "", state: str = "") -> QuerySet[Subscriber]:
    """The subscribers of a state whose address contains the text."""
    found = Subscriber.objects.filter(email__icontains=search.strip())
    return found.filter(state=state) if state else found
