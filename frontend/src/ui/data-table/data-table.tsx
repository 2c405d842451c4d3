import type { ReactNode } from "react";

import { buildCellClass, type Column, type Sorting } from "./columns";
import { TableHead } from "./table-head";
import { NothingHere, type Nothing } from "./list-rows";

export interface DataTableProps<Row> {
  /** What the table is called where it cannot be seen. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Said where there are no rows. */
  empty?: Nothing;
  getKey: (row: Row, index: number) => string | number;
  /** What narrow screens make of a row: a card with a title beside each value, or two values a line, or two lines. */
  phone?: keyof typeof PHONES;
  className?: string;
  sorting?: Sorting;
  current?: string;
  onOpen?: (row: Row) => void;
  getRowLabel?: (row: Row) => string;
  /** The row that is open beside the table, and those that are selected. */
  isCurrent?: (row: Row) => boolean;
  isSelected?: (row: Row) => boolean;
  /** Above the titles: what can be done with the rows that are selected. */
  bar?: ReactNode;
  /** Rows above and below those that were asked for: sums. */
  before?: ReactNode;
  after?: ReactNode;
  /** Below the rows: pages, or a file of them. */
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
    <td className={buildCellClass(column)} data-label={labelled && !opens ? title : undefined}>
      {content}
      {more ? <div className="muted small break">{more}</div> : null}
    </td>
  );
}

const PHONES = { cards: "table-cards", pairs: "table-cards system-table", lines: "two-line" };

/** Rows in columns: titles that sort, cards on phones, pages below. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { columns, rows, empty, getKey, phone, onOpen } = props;
  if (empty && rows.length === 0) return <NothingHere nothing={empty} />;
  const opens = columns.some((column) => column.opens);
  const classes = ["table", phone && PHONES[phone], opens && "table-rows", props.className];
  return (
    <div className="table-frame" aria-busy={props.busy}>
      {props.bar}
      <table className={classes.filter(Boolean).join(" ")} aria-label={props.label}>
        <TableHead columns={columns} sorting={props.sorting} current={props.current} />
        <tbody>
          {props.before}
          {rows.map((row, index) => (
            <tr
              key={getKey(row, index)}
              data-row={getKey(row, index)}
              data-selected={props.isSelected?.(row) ? "" : undefined}
              aria-current={props.isCurrent?.(row) ? "true" : undefined}
              aria-label={props.getRowLabel?.(row)}
            >
              {columns.map((column) => (
                <TableCell key={column.key} row={row} column={column} onOpen={onOpen} />
              ))}
            </tr>
          ))}
          {props.after}
        </tbody>
      </table>
      {props.foot}
    </div>
  );
}
