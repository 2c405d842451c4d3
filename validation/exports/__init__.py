"""Downloads of a list's results: CSV, workbook, the uploaded file with verdicts, or a stream of lines.

`tables` reads results page by page, `originals` adds verdicts to the rows of the upload, `xlsx` writes workbooks in
constant memory, `downloads` chooses among them. Others use `tables.build_filename`.
"""

__all__ = ["api", "tables"]
