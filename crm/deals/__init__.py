"""Sales that may come: the deals on the board, and their history.

`services` creates, edits and moves deals; `board` is what the columns show. A deal that is won sends
`crm.signals.deal_won`, on which its contract is written. Quotes refer to deals, and messages become
deals.
"""

__all__ = ["api", "models", "serializers", "services"]
