import type { ComponentType, ReactNode } from "react";

import type { Cell } from "../../lib/csv";
import { formatNumber, formatMoney } from "../../lib/format";
import { Time } from "../values";

export interface Column<Row> {
  /** Also what the address calls the order by it. */
  key: string;
  title: string;
  /** Stands for the title, which is then only said aloud. */
  head?: ReactNode;
  /** What the title means, where it does not say that itself. */
  hint?: string | undefined;
  cell: (row: Row) => ReactNode;
  /** More about it, in small letters below. */
  note?: (row: Row) => ReactNode;
  /** The same in a file; a column without it is in none. */
  csv?: (row: Row) => Cell;
  align?: "number";
  /** Narrow screens do without the column. */
  hideBelow?: "narrow";
  className?: string;
  /** Says that the table can be sorted by it, and which way a first press does. */
  sort?: "up" | "down";
  /** The cell is a button that opens its row. */
  opens?: boolean;
  /** The cell heads its row. */
  heads?: boolean;
  /** Says false where cards need no title beside the value. */
  labelled?: boolean;
}

type Extras<Row> = Omit<Partial<Column<Row>>, "key" | "title">;

/** A column of words, or of whatever a cell shows. */
export function textColumn<Row>(
  key: string,
  title: string,
  cell: (row: Row) => ReactNode,
  extras?: Extras<Row>,
): Column<Row> {
  return { key, title, cell, ...extras };
}

/** A column of counts, or of figures that a cell writes in another way. */
export function numberColumn<Row>(
  key: string,
  title: string,
  count: (row: Row) => number | null,
  extras?: Extras<Row>,
): Column<Row> {
  return { key, title, align: "number", cell: (row) => formatNumber(count(row)), csv: count, ...extras };
}

/** A column of moments, as the server writes them. */
export function timeColumn<Row>(
  key: string,
  title: string,
  at: (row: Row) => string,
  extras?: Extras<Row>,
): Column<Row> {
  return { key, title, className: "muted", cell: (row) => <Time at={at(row)} />, csv: at, ...extras };
}

/** A column of amounts of money. */
export function moneyColumn<Row>(
  key: string,
  title: string,
  amount: (row: Row) => number,
  extras?: Extras<Row>,
): Column<Row> {
  return { key, title, align: "number", cell: (row) => formatMoney(amount(row)), csv: amount, ...extras };
}

/** The last column: what can be done with a row. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode, extras?: Extras<Row>): Column<Row> {
  return {
    key: "actions",
    title: "Actions",
    labelled: false,
    align: "number",
    className: "system-cell-actions",
    cell,
    ...extras,
  };
}

/** The order that the server was asked for; `sorting.tsx` makes it. */
export interface Sorting {
  key: string;
  descending: boolean;
  onSort: (key: string, descending: boolean) => void;
  /** The title of a column that sorts. */
  Title: ComponentType<{ column: Column<never>; sorting: Sorting }>;
}

/** The class of a column's title. */
export function buildTitleClass({ align, hideBelow }: Column<never>): string | undefined {
  return [align, hideBelow === "narrow" && "only-wide"].filter(Boolean).join(" ") || undefined;
}

/** The class of its cells. */
export function buildCellClass(column: Column<never>): string | undefined {
  return [buildTitleClass(column), column.className].filter(Boolean).join(" ") || undefined;
}
