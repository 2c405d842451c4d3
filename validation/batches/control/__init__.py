"""Interventions in a list: cancel, pause, resume, fail, re-check, free stuck chunks.

`stopping` ends and resumes lists, `rechecks` repeats rows of a finished one, `stuck` finds standing lists for the staff
area. Other packages use these three, and the shapes of answers in `serializers`.
"""

__all__ = ["api", "rechecks", "serializers", "stopping", "stuck"]
