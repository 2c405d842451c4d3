import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import { formatCsvLines } from "../../lib/csv";
import { saveCsv } from "../../lib/download";
import { Button } from "../button";
import type { Column } from "./columns";

interface SaveButtonProps<Row> {
  /** The name of the file, without its ending. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}

/** Saves what a table shows: its columns that have words for a file, and its rows in their order. */
function saveRows<Row>({ name, columns, rows }: SaveButtonProps<Row>): void {
  const kept = columns.flatMap(({ title, csv }) => (csv ? [{ title, csv }] : []));
  const lines = rows.map((row) => kept.map(({ csv }) => csv(row)));
  saveCsv(formatCsvLines([kept.map(({ title }) => title), ...lines]), `${name}.csv`);
}

/** The rows as a file, below the table. */
export function SaveButton<Row>(props: SaveButtonProps<Row>): ReactNode {
  return (
    <div className="pager pager-file">
      <Button kind="quiet" onClick={() => saveRows(props)}>
        <Download size={16} aria-hidden />
        Download CSV
      </Button>
    </div>
  );
}
