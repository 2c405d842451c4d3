import { Suspense, type ReactNode } from "react";

import { useUrlState } from "../../../lib/url-state";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { Button } from "../../../ui/button";
import { lazyPart } from "../../../ui/lazy-part";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { EmptyState, SkeletonBlock } from "../../../ui/states";
import { hasPrevious, SERIES } from "../../validation/analytics/usage-series";
import {
  AccuracyTable,
  CategoryTable,
  ChartTable,
  DayTable,
  SeriesLegend,
  SinceNote,
} from "../../validation/analytics/tables";
import { RANGE_DAYS, type Range } from "../../validation/analytics/use-analytics";
import { formatMonth, sumByMonth } from "./months";
import type { OverallFigures } from "./use-overall-figures";

const loadCharts = () => import("./charts");
const TrendsChart = lazyPart(async () => (await loadCharts()).TrendsChart);
const CategoryPie = lazyPart(async () => (await loadCharts()).CategoryPie);
const MonthsChart = lazyPart(async () => (await loadCharts()).MonthsChart);
const AccuracyChart = lazyPart(async () => (await import("../../validation/analytics/charts")).AccuracyChart);

const CHARTS = {
  trends: "Validation Trends",
  categories: "Category Breakdown",
  months: "Monthly Stats",
  performance: "Performance",
} as const;
type Chart = keyof typeof CHARTS;

type Month = ReturnType<typeof sumByMonth>[number];

const MONTH_COLUMNS: readonly Column<Month>[] = [
  textColumn("month", "Month", ({ month }) => formatMonth(month), { heads: true, csv: ({ month }) => month }),
  numberColumn("validations", "Validations", (month: Month) => month.validations),
  ...SERIES.map(({ key, name }) => numberColumn(key, name, ({ categories }: Month) => categories[key])),
];

/** Newest month first. */
function MonthTable({ days }: Pick<OverallFigures, "days">): ReactNode {
  const rows = sumByMonth(days).reverse();
  return <ChartTable name="Months" columns={MONTH_COLUMNS} rows={rows} getKey={({ month }) => month} />;
}

const DRAWN: Record<Chart, (figures: OverallFigures) => { drawn: ReactNode; table: ReactNode }> = {
  trends: ({ days }) => ({ drawn: <TrendsChart days={days} />, table: <DayTable days={days} /> }),
  categories: ({ days, total }) => ({
    drawn: <CategoryPie days={days} total={total} />,
    table: <CategoryTable days={days} total={total} />,
  }),
  months: ({ days }) => ({ drawn: <MonthsChart days={days} />, table: <MonthTable days={days} /> }),
  performance: ({ days }) => ({ drawn: <AccuracyChart days={days} />, table: <AccuracyTable days={days} /> }),
};

/** Four charts, one at a time; the choice lives in the address. */
export function ChartPanel({ figures, range }: { figures: OverallFigures; range: Range }): ReactNode {
  const [url, setUrl] = useUrlState();
  const chart = findOption(CHARTS, url.get("chart"), "trends");
  const { drawn, table } = DRAWN[chart](figures);
  const widest =
    range === "1y" ? null : <Button onClick={() => setUrl({ days: "1y" })}>Show the year</Button>;
  return (
    <section className="card stack-4" aria-label={CHARTS[chart]}>
      <div className="segments-wide">
        <SegmentedControl
          label="Chart"
          options={CHARTS}
          value={chart}
          onChange={(next) => setUrl({ chart: next === "trends" ? null : next })}
        />
      </div>
      {figures.total === 0 ? (
        <EmptyState title="Nothing was validated in this range" action={widest}>
          The chart appears with the first address that a customer checks.
        </EmptyState>
      ) : (
        <>
          {chart === "trends" || chart === "months" ? (
            <SeriesLegend ghost={chart === "trends" && hasPrevious(figures.days)} />
          ) : null}
          {chart === "performance" ? (
            <p className="muted small">Conclusive results by day, in percent</p>
          ) : null}
          <div className="chart">
            <Suspense fallback={<SkeletonBlock className="chart-loading" />}>{drawn}</Suspense>
          </div>
          <SinceNote days={figures.days} length={RANGE_DAYS[range]} />
          {table}
        </>
      )}
    </section>
  );
}
