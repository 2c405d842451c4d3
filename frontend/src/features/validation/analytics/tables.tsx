import type { ReactNode } from "react";

import { formatPercent, NO_VALUE, calculateShare } from "../../../lib/format";
import { numberColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { SaveButton } from "../../../ui/data-table/save-button";
import { BUCKETS, formatBar, SERIES } from "./usage-series";
import type { Analytics } from "./use-analytics";

/** What the colours of a chart by day stand for. */
export function SeriesLegend(): ReactNode {
  return (
    <ul className="legend">
      {SERIES.map(({ key, name, tone }) => (
        <li key={key} className={`tone-${tone}`}>
          {name}
        </li>
      ))}
    </ul>
  );
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
const DAY_COLUMNS = [
  DAY,
  numberColumn("validations", "Validations", (day: Day) => day.validations),
  ...SERIES.map(({ key, name }) => numberColumn(key, name, (day: Day) => day[key])),
];
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

export function DayTable({ days }: Pick<Analytics, "days">): ReactNode {
  return <Days name="Usage" columns={DAY_COLUMNS} days={days} />;
}

export function AccuracyTable({ days }: Pick<Analytics, "days">): ReactNode {
  return <Days name="Accuracy" columns={ACCURACY_COLUMNS} days={days} />;
}

export function BucketTable({ buckets, total }: Pick<Analytics, "buckets" | "total">): ReactNode {
  const rows = BUCKETS.map(({ key, name }) => ({ name, count: buckets[key] }));
  type Bucket = (typeof rows)[number];
  const columns: readonly Column<Bucket>[] = [
    { key: "category", title: "Category", heads: true, cell: ({ name }) => name, csv: ({ name }) => name },
    numberColumn("addresses", "Addresses", ({ count }) => count),
    numberColumn("share", "Share", ({ count }) => calculateShare(count, total), {
      cell: ({ count }) => formatPercent(calculateShare(count, total)),
    }),
  ];
  return <ChartTable name="Categories" columns={columns} rows={rows} getKey={({ name }) => name} />;
}
