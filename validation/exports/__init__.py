"""The results of a list to take away: CSV, workbook, the uploaded file with verdicts, or a stream of lines.

`tables` reads results page by page, `originals` puts verdicts behind the rows of the upload, `xlsx` writes
workbooks in constant memory, `downloads` chooses among them. Nobody but its own `api` uses it.
"""

__all__ = ["api"]
