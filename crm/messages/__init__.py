"""What visitors send us: messages to support, subscriptions to the newsletter, and feedback.

`contact`, `newsletter` and `feedback` are the three services; the public pages call the first two. `api`
has the calls of visitors, `staff_api` and `feedback_api` those of staff. A message can be turned into a
deal.
"""

__all__ = ["api", "contact", "feedback", "feedback_api", "models", "newsletter", "serializers", "staff_api"]
