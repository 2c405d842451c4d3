"""The sentences about what checks cost, in one place (PEN-025).

Full checks are free where they leave an address unknown; basic checks, those of Free, cost a credit each.
What everybody reads is `UNKNOWN_COSTS`, which says both halves; an account reads its own.
"""

UNKNOWN_COSTS = (
    "What stays unknown costs nothing with full checks; basic checks on Free cost 1 credit each, "
    "also where only the mailbox would decide."
)
# What an account reads whose next check is full, or basic; and one whose first credits buy full checks.
FULL = "A clear verdict costs 1 credit; what stays unknown costs nothing."
BASIC = "Basic checks cost 1 credit each, also where the answer is unknown because only the mailbox would decide."
WELCOME = (
    "Your welcome credits buy full checks, where what stays unknown costs nothing; "
    "after them basic checks on Free cost 1 credit each."
)
