// Loaded when a table is saved.
import { formatCsvLines } from "../../lib/csv";
import { saveCsv } from "../../lib/download";
import type { Column } from "./columns";

/** Saves what a table shows as `<name>.csv`: its columns that have words for a file, and its rows in their order. */
export function saveRows<Row>(name: string, columns: readonly Column<Row>[], rows: readonly Row[]): void {
  const kept = columns.flatMap(({ title, csv }) => (csv ? [{ title, csv }] : []));
  const lines = rows.map((row) => kept.map(({ csv }) => csv(row)));
  saveCsv(formatCsvLines([kept.map(({ title }) => title), ...lines]), `${name}.csv`);
}
