"""Sales and messages: `deals`, their `contracts`, what visitors write (`messages`), and `claims` of the website.

A deal that is won announces itself by `signals.deal_won`; its contract is written in the same transaction.
"""
