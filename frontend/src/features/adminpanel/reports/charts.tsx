// Loaded after the figures, with recharts.
import type { ReactNode } from "react";
import { Area, AreaChart, BarChart, Pie, PieChart, XAxis } from "recharts";

import { formatPercent, calculateShare } from "../../../lib/format";
import { BASE_AXIS, COUNTS, DAYS, GRID, MARGIN } from "../../validation/analytics/axes";
import { DayTooltip } from "../../validation/analytics/charts";
import { BUCKETS, SERIES } from "../../validation/analytics/usage-series";
import type { Analytics, Day } from "../../validation/analytics/use-analytics";
import { formatMonth, sumByMonth } from "./months";
import {
  ChartFrame,
  STACKED_BARS,
  buildBarTooltip,
  buildLineTooltip,
  PointValues,
} from "../../validation/analytics/chart-parts";

/** Valid, unknown and invalid by day, stacked. */
export function TrendsChart({ days }: { days: Day[] }): ReactNode {
  return (
    <ChartFrame label="Validations by day; the table below has the numbers">
      <AreaChart data={days} margin={MARGIN} accessibilityLayer={false}>
        {GRID}
        {DAYS}
        {COUNTS}
        {buildLineTooltip(<DayTooltip weekly={false} />)}
        {SERIES.map(({ key, tone }) => (
          <Area
            key={key}
            dataKey={key}
            stackId="all"
            stroke={`var(--st-${tone})`}
            fill={`var(--st-${tone})`}
            fillOpacity={0.6}
            isAnimationActive={false}
          />
        ))}
      </AreaChart>
    </ChartFrame>
  );
}

interface MonthTooltipProps {
  active?: boolean;
  label?: string;
  payload?: readonly { name?: string; value?: number }[];
}

function MonthTooltip({ active, label, payload = [] }: MonthTooltipProps): ReactNode {
  if (!active || label === undefined) return null;
  const values = payload.map(({ value = 0 }) => value);
  const total = values.reduce((all, value) => all + value, 0);
  const lines = SERIES.map(({ name, tone }, index) => [name, values[index], tone] as const);
  return <PointValues title={formatMonth(label)} lines={[...lines, ["Total", total]]} />;
}

/** The days summed by calendar month. */
export function MonthsChart({ days }: { days: Day[] }): ReactNode {
  return (
    <ChartFrame label="Validations by month; the table below has the numbers">
      <BarChart data={sumByMonth(days)} margin={MARGIN} maxBarSize={64} accessibilityLayer={false}>
        {GRID}
        <XAxis dataKey="month" tickFormatter={formatMonth} {...BASE_AXIS} />
        {COUNTS}
        {buildBarTooltip(<MonthTooltip />)}
        {STACKED_BARS}
      </BarChart>
    </ChartFrame>
  );
}

/** Each category as a percent of all; what has none is left out. */
export function CategoryPie({ buckets, total }: Pick<Analytics, "buckets" | "total">): ReactNode {
  const parts = BUCKETS.map((bucket) => ({
    ...bucket,
    value: buckets[bucket.key],
    fill: `var(--st-${bucket.tone})`,
  })).filter(({ value }) => value > 0);
  return (
    <div className="pie">
      <ChartFrame label="Results by category; the list beside it has the numbers">
        <PieChart accessibilityLayer={false}>
          <Pie
            data={parts}
            dataKey="value"
            nameKey="name"
            innerRadius="55%"
            outerRadius="95%"
            stroke="var(--paper)"
            isAnimationActive={false}
          />
        </PieChart>
      </ChartFrame>
      <dl className="lines">
        {parts.map(({ key, name, tone, value }) => (
          <div key={key} className={`tone-${tone}`}>
            <dt>{name}</dt>
            <dd>{formatPercent(calculateShare(value, total))}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
