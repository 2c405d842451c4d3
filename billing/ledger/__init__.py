"""Credits: granted, held, spent, clawed back, expired. The only code that moves them.

The ledger is append-only: `balance` is the sum of the entries at every committed instant. `services` has
every movement; each is named by a key, so that asking twice moves once, and locks the account's row
first. `debits` has its statements as SQL.

Others use `services` to move credits and to lock an account, `balances` to read, `debits.LotOrder`,
`bulk_grants` and `free_credits` for credits that nobody pays for, and `credit_months` for the dates of
months.
`member_caps` has what members use, `transfers` what goes between an agency and its clients, `key_limits`
the daily cap of an API key, `money_audit` what the audit says about a change, `reasons` the words of the
statement. `recount` compares every balance with its movements.
"""

__all__ = [
    "balances",
    "bulk_grants",
    "credit_months",
    "debits",
    "free_credits",
    "member_caps",
    "models",
    "money_audit",
    "reasons",
    "services",
    "transfers",
]
