"""Downloads of a list's results: CSV, workbook, the uploaded file with verdicts, or a stream of lines.

`found_rows` reads results page by page, `tables` writes them, `archives` puts them into one zip, `originals` and
`workbooks` add the cells of `row_verdicts` to the rows of the upload, which `reading_slots` reads, `program_files`
makes files that programs for newsletters import, `xlsx` writes workbooks in constant memory. `downloads` chooses among
them by `choices`. Others use `tables.build_filename`.
"""

__all__ = ["api", "tables"]
