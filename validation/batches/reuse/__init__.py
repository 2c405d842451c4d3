"""Earlier verdicts of an organisation that a new list takes over, free of charge.

    review:  `finding` looks for the newest verdict on each address, `known` keeps what is to be taken over beside the
             upload and says what a review shows of it
    start:   `known` divides the list: chunks that take over verdicts, and ordinary ones for the others
    work:    `copying` copies the verdicts of such a chunk; what is gone meanwhile is checked, free of charge

Other packages use `known` and `copying`.
"""

__all__ = ["copying", "known"]
