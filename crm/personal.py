"""What the tables of sales and messages hold about people who have an account."""

from crm import feedback
from crm.models import Feedback, Message
from emailcheck.common.personal import Table

TABLES = (
    Table(Feedback, "user", name="feedback", secret=("visitor",), erase=feedback.detach),
    Table(Message, "user", name="contact_messages", secret=("deal_id",)),
)
