// Loaded after the figures, with recharts.
import type { ReactNode } from "react";
import { Area, AreaChart, Bar, BarChart, Pie, PieChart, ResponsiveContainer, Tooltip, XAxis } from "recharts";

import { formatNumber, formatPercent, calculateShare } from "../../../lib/format";
import { BASE_AXIS, COUNTS, DAYS, GRID, HEIGHT, MARGIN } from "../../validation/analytics/axes";
import { DayTooltip } from "../../validation/analytics/charts";
import { BUCKETS, SERIES } from "../../validation/analytics/usage-series";
import type { Analytics, Day } from "../../validation/analytics/use-analytics";
import { formatMonth, sumByMonth } from "./months";

/** Valid, unknown and invalid by day, stacked. */
export function TrendsChart({ days }: { days: Day[] }): ReactNode {
  return (
    <div role="img" aria-label="Validations by day; the table below has the numbers">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <AreaChart data={days} margin={MARGIN} accessibilityLayer={false}>
          {GRID}
          {DAYS}
          {COUNTS}
          <Tooltip
            content={<DayTooltip weekly={false} />}
            cursor={{ stroke: "var(--border-strong)" }}
            isAnimationActive={false}
          />
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
      </ResponsiveContainer>
    </div>
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
  return (
    <div className="chart-tooltip">
      <strong>{formatMonth(label)}</strong>
      <dl>
        {SERIES.map(({ key, name, tone }, index) => (
          <div key={key} className={`tone-${tone}`}>
            <dt>{name}</dt>
            <dd>{formatNumber(values[index])}</dd>
          </div>
        ))}
        <div>
          <dt>Total</dt>
          <dd>{formatNumber(values.reduce((all, value) => all + value, 0))}</dd>
        </div>
      </dl>
    </div>
  );
}

/** The days summed by calendar month. */
export function MonthsChart({ days }: { days: Day[] }): ReactNode {
  return (
    <div role="img" aria-label="Validations by month; the table below has the numbers">
      <ResponsiveContainer width="100%" height={HEIGHT}>
        <BarChart data={sumByMonth(days)} margin={MARGIN} maxBarSize={64} accessibilityLayer={false}>
          {GRID}
          <XAxis dataKey="month" tickFormatter={formatMonth} {...BASE_AXIS} />
          {COUNTS}
          <Tooltip
            content={<MonthTooltip />}
            cursor={{ fill: "var(--surface-2)" }}
            isAnimationActive={false}
          />
          {SERIES.map(({ key, tone }) => (
            <Bar key={key} dataKey={key} stackId="all" fill={`var(--st-${tone})`} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
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
      <div role="img" aria-label="Results by category; the list beside it has the numbers">
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <PieChart accessibilityLayer={false}>
            <Pie
              data={parts}
              dataKey="value"
              nameKey="name"
              innerRadius="55%"
              outerRadius="95%"
              stroke="var(--surface)"
              isAnimationActive={false}
            />
          </PieChart>
        </ResponsiveContainer>
      </div>
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
