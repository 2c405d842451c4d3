import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import { Button } from "../button";
import { buildClass, type Column, type Sorting } from "./columns";
import { BulkBar, SelectBox, useSelection, type Selection, type SelectionProps } from "./selection";
import { TableHead } from "./table-head";

export interface DataTableProps<Row> {
  /** What the table is called where it cannot be seen. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row, index: number) => string | number;
  /** What narrow screens make of a row: a card with a title beside each value, or two lines. */
  phone?: "cards" | "lines";
  className?: string;
  sorting?: Sorting;
  current?: string;
  onOpen?: (row: Row) => void;
  getRowLabel?: (row: Row) => string;
  selection?: SelectionProps<Row>;
  /** The name of the file that the rows can be saved as. */
  csv?: string;
  /** Rows above and below those that were asked for: sums. */
  before?: ReactNode;
  after?: ReactNode;
  /** Pages. */
  foot?: ReactNode;
  busy?: boolean | undefined;
}

interface CellProps<Row> {
  row: Row;
  column: Column<Row>;
  onOpen: ((row: Row) => void) | undefined;
}

function TableCell<Row>({ row, column, onOpen }: CellProps<Row>): ReactNode {
  const { title, cell, note, opens, heads, labelled = true } = column;
  const more = note?.(row);
  const content = opens ? (
    <button type="button" className="row-open" onClick={() => onOpen?.(row)}>
      {cell(row)}
    </button>
  ) : (
    cell(row)
  );
  if (heads) return <th scope="row">{content}</th>;
  return (
    <td className={buildClass(column)} data-label={labelled && !opens ? title : undefined}>
      {content}
      {more ? <div className="muted small break">{more}</div> : null}
    </td>
  );
}

type RowsProps<Row> = DataTableProps<Row> & { selected: Selection<Row> };

function TableRows<Row>({ columns, rows, selected, selection, ...rest }: RowsProps<Row>): ReactNode {
  const { getKey, getRowLabel, onOpen } = rest;
  return rows.map((row, index) => (
    <tr key={getKey(row, index)} aria-label={getRowLabel?.(row)}>
      {selection ? (
        <td className="select">
          <SelectBox
            label={selection.getLabel(row)}
            checked={selected.has(row)}
            onChange={() => selected.toggle(row)}
          />
        </td>
      ) : null}
      {columns.map((column) => (
        <TableCell key={column.key} row={row} column={column} onOpen={onOpen} />
      ))}
    </tr>
  ));
}

function SelectAll<Row>({ shown, selected }: { shown: number; selected: Selection<Row> }): ReactNode {
  const { length } = selected.rows;
  return (
    <th scope="col" className="select">
      <SelectBox
        label="Select all rows"
        checked={length === shown}
        mixed={length > 0 && length < shown}
        onChange={selected.toggleAll}
      />
    </th>
  );
}

/** The rows as a file. */
function SaveButton<Row>({
  csv,
  columns,
  rows,
}: Pick<DataTableProps<Row>, "csv" | "columns" | "rows">): ReactNode {
  if (csv === undefined) return null;
  return (
    <Button
      kind="quiet"
      onClick={() => void import("./save-rows").then(({ saveRows }) => saveRows(csv, columns, rows))}
    >
      <Download size={16} aria-hidden />
      Download CSV
    </Button>
  );
}

const PHONES = { cards: "table-cards", lines: "two-line" };

/** Rows in columns: titles that sort, boxes that select, cards on phones, pages and a file below. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, getKey, phone, className, sorting, current, selection } = props;
  const selected = useSelection(rows, getKey);
  const classes = [
    "table",
    phone && PHONES[phone],
    columns.some(({ opens }) => opens) && "table-rows",
    className,
  ];
  return (
    <div className="table-frame" aria-busy={props.busy}>
      {selection ? <BulkBar selection={selected} actions={selection.actions} /> : null}
      <table className={classes.filter(Boolean).join(" ")} aria-label={label}>
        <TableHead columns={columns} sorting={sorting} current={current}>
          {selection ? <SelectAll shown={rows.length} selected={selected} /> : null}
        </TableHead>
        <tbody>
          {props.before}
          <TableRows {...props} selected={selected} />
          {props.after}
        </tbody>
      </table>
      {props.foot}
      {props.csv === undefined ? null : (
        <div className="pager pager-file">
          <SaveButton {...props} />
        </div>
      )}
    </div>
  );
}
