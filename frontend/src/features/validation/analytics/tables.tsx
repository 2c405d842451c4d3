import type { ReactNode } from "react";

import { formatNumber, formatPercent, NO_VALUE, calculateShare } from "../../../lib/format";
import { TableHead } from "../../../ui/table";
import { BUCKETS, formatBar, SERIES } from "./usage-series";
import type { Analytics } from "./use-analytics";

interface DataTableProps {
  names: string[];
  rows: string[][];
}

/** The numbers of a chart, for whoever cannot see it or wants to copy them. */
export function DataTable({ names, rows }: DataTableProps): ReactNode {
  return (
    <details className="technical">
      <summary>Show data table</summary>
      <div className="chart-table">
        <table className="table">
          <TableHead columns={names.map((name, column) => [name, column > 0 ? "number" : ""])} />
          <tbody>
            {rows.map(([first, ...numbers]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {numbers.map((number, column) => (
                  <td key={names[column + 1]} className="number">
                    {number}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

/** Newest day first. */
export function DayTable({ days }: Pick<Analytics, "days">): ReactNode {
  const names = ["Day (UTC)", "Validations", ...SERIES.map(({ name }) => name)];
  const rows = days.map((day) => [
    formatBar(day.date, false),
    formatNumber(day.validations),
    ...SERIES.map(({ key }) => formatNumber(day[key])),
  ]);
  return <DataTable names={names} rows={rows.reverse()} />;
}

export function BucketTable({ buckets, total }: Pick<Analytics, "buckets" | "total">): ReactNode {
  const rows = BUCKETS.map(({ key, name }) => [
    name,
    formatNumber(buckets[key]),
    formatPercent(calculateShare(buckets[key], total)),
  ]);
  return <DataTable names={["Category", "Addresses", "Share"]} rows={rows} />;
}

/** Newest day first. */
export function AccuracyTable({ days }: Pick<Analytics, "days">): ReactNode {
  const rows = days.map(({ date, accuracy }) => [
    formatBar(date, false),
    accuracy === null || accuracy === undefined ? NO_VALUE : formatPercent(accuracy / 100),
  ]);
  return <DataTable names={["Day (UTC)", "Conclusive"]} rows={rows.reverse()} />;
}
