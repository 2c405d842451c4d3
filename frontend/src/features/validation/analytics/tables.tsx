import type { ReactNode } from "react";

import { formatPercent, NO_VALUE, calculateShare } from "../../../lib/format";
import { numberColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { SaveButton } from "../../../ui/data-table/save-button";
import { buildHistoryLink } from "./history-link";
import { formatBar, hasPrevious, PREVIOUS, SERIES, sumCategories } from "./usage-series";
import type { Analytics } from "./use-analytics";

interface SeriesLegendProps {
  /** Whether the previous period is drawn. */
  ghost?: boolean;
}

/** What the colours of a chart by day stand for, in the order in which they are stacked. */
export function SeriesLegend({ ghost = false }: SeriesLegendProps): ReactNode {
  return (
    <ul className="legend">
      {SERIES.map(({ key, name }) => (
        <li key={key} className={`tone-${key}`}>
          {name}
        </li>
      ))}
      {ghost ? <li className="tone-ghost">{PREVIOUS}</li> : null}
    </ul>
  );
}

/** Since when anything was counted, where that is within the range. */
export function SinceNote({ days, length }: Pick<Analytics, "days"> & { length: number }): ReactNode {
  const [first] = days;
  if (!first || days.length === length) return null;
  return <p className="muted small">Since {formatBar(first.date, false)}, the day of the first check.</p>;
}

interface ChartTableProps<Row> {
  /** What the table is called, also as a file. */
  name: string;
  /** The name of the file, if it is another. */
  file?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
}

/** The numbers of a chart, for whoever cannot see it or wants to copy them. */
export function ChartTable<Row>({
  name,
  file = name.toLowerCase(),
  ...table
}: ChartTableProps<Row>): ReactNode {
  return (
    <details className="technical">
      <summary>Show data table</summary>
      <div className="chart-table">
        <DataTable label={name} {...table} />
      </div>
      <SaveButton name={file} {...table} />
    </details>
  );
}

type Day = Analytics["days"][number];

const DAY: Column<Day> = {
  key: "day",
  title: "Day (UTC)",
  heads: true,
  cell: ({ date }) => formatBar(date, false),
  csv: ({ date }) => date,
};
/** The day, and the way to what was checked then. */
const LINKED_DAY: Column<Day> = {
  ...DAY,
  cell: ({ date }) => <a href={buildHistoryLink(date, date)}>{formatBar(date, false)}</a>,
};
const COUNT_COLUMNS: readonly Column<Day>[] = [
  numberColumn("validations", "Validations", ({ validations }) => validations),
  ...SERIES.map(({ key, name }) => numberColumn<Day>(key, name, ({ categories }) => categories[key])),
];
const PREVIOUS_COLUMN: Column<Day> = numberColumn(
  "previous",
  PREVIOUS,
  ({ previous }) => previous.validations,
);
const ACCURACY_COLUMNS: readonly Column<Day>[] = [
  DAY,
  numberColumn("accuracy", "Conclusive", ({ accuracy }) => accuracy ?? null, {
    cell: ({ accuracy }) => (typeof accuracy === "number" ? formatPercent(accuracy / 100) : NO_VALUE),
  }),
];

interface DaysProps extends Pick<Analytics, "days"> {
  name: string;
  columns: readonly Column<Day>[];
}

/** Newest day first. */
function Days({ days, ...table }: DaysProps): ReactNode {
  return <ChartTable {...table} rows={[...days].reverse()} getKey={({ date }) => date} />;
}

interface DayTableProps extends Pick<Analytics, "days"> {
  /** Says that the days are those of the account, whose History they lead to. */
  linked?: boolean;
}

export function DayTable({ days, linked = false }: DayTableProps): ReactNode {
  const before = hasPrevious(days) ? [PREVIOUS_COLUMN] : [];
  return <Days name="Usage" columns={[linked ? LINKED_DAY : DAY, ...COUNT_COLUMNS, ...before]} days={days} />;
}

export function AccuracyTable({ days }: Pick<Analytics, "days">): ReactNode {
  return <Days name="Accuracy" columns={ACCURACY_COLUMNS} days={days} />;
}

export function CategoryTable({ days, total }: Pick<Analytics, "days" | "total">): ReactNode {
  const categories = sumCategories(days);
  const rows = SERIES.map(({ key, name }) => ({ name, count: categories[key] }));
  type Row = (typeof rows)[number];
  const columns: readonly Column<Row>[] = [
    { key: "category", title: "Category", heads: true, cell: ({ name }) => name, csv: ({ name }) => name },
    numberColumn("addresses", "Addresses", ({ count }) => count),
    numberColumn("share", "Share", ({ count }) => calculateShare(count, total), {
      cell: ({ count }) => formatPercent(calculateShare(count, total)),
    }),
  ];
  return <ChartTable name="Categories" columns={columns} rows={rows} getKey={({ name }) => name} />;
}
