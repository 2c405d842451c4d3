// Loaded after the figures, with recharts.
import type { ReactNode } from "react";
import { Area, BarChart, ComposedChart, Pie, PieChart, XAxis } from "recharts";

import { BASE_AXIS, buildCounts, DAYS, GRID, MARGIN } from "../../validation/analytics/axes";
import {
  buildGhost,
  buildStack,
  buildTooltip,
  ChartFrame,
  PointValues,
} from "../../validation/analytics/chart-parts";
import { DayTooltip, findMost } from "../../validation/analytics/charts";
import { Fills, getFill } from "../../validation/analytics/fills";
import { hasPrevious, SERIES, sumCategories, type Day } from "../../validation/analytics/usage-series";
import type { Analytics } from "../../validation/analytics/use-analytics";
import { formatMonth, sumByMonth, type Month } from "./months";
import { Shares } from "./shares";

/** The six categories by day, stacked. */
export function TrendsChart({ days }: { days: Day[] }): ReactNode {
  const ghost = hasPrevious(days);
  const points = days.length === 1 ? [...days, ...days] : days; // one point has no area: the only day is a band
  return (
    <ChartFrame label="Validations by day; the table below has the numbers" walked>
      <ComposedChart
        data={points}
        margin={MARGIN}
        accessibilityLayer
        aria-label="Validations by day: arrow keys go through them"
      >
        <Fills chart="trends" />
        {GRID}
        {DAYS}
        {buildCounts(findMost(days))}
        {buildTooltip(<DayTooltip weekly={false} ghost={ghost} />, "point")}
        {SERIES.map(({ key }) => (
          <Area
            key={key}
            dataKey={`categories.${key}`}
            stackId="all"
            stroke={`var(--st-${key})`}
            fill={getFill("trends", key)}
            fillOpacity={1}
            isAnimationActive={false}
          />
        ))}
        {ghost ? buildGhost("previous.validations") : null}
      </ComposedChart>
    </ChartFrame>
  );
}

interface MonthTooltipProps {
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}

function isMonth(value: unknown): value is Month {
  return typeof value === "object" && value !== null && "month" in value;
}

function MonthTooltip({ active, payload }: MonthTooltipProps): ReactNode {
  const month = payload?.[0]?.payload;
  if (active !== true || !isMonth(month)) return null;
  const lines = SERIES.map(({ key, name }) => [name, month.categories[key], key] as const);
  return <PointValues title={formatMonth(month.month)} lines={[...lines, ["Total", month.validations]]} />;
}

/** The days summed by calendar month. */
export function MonthsChart({ days }: { days: Day[] }): ReactNode {
  const months = sumByMonth(days);
  const most = Math.max(0, ...months.map(({ validations }) => validations));
  return (
    <ChartFrame label="Validations by month; the table below has the numbers" walked>
      <BarChart
        data={months}
        margin={MARGIN}
        maxBarSize={64}
        accessibilityLayer
        aria-label="Validations by month: arrow keys go through them"
      >
        <Fills chart="months" />
        {GRID}
        <XAxis dataKey="month" tickFormatter={formatMonth} {...BASE_AXIS} />
        {buildCounts(most)}
        {buildTooltip(<MonthTooltip />, "bar")}
        {buildStack("months")}
      </BarChart>
    </ChartFrame>
  );
}

/** Each category as a part of all; what has none is left out. */
export function CategoryPie({ days, total }: Pick<Analytics, "days" | "total">): ReactNode {
  const counts = sumCategories(days);
  const parts = SERIES.map(({ key, name }) => ({ name, value: counts[key], fill: getFill("pie", key) }));
  return (
    <div className="pie">
      <ChartFrame label="Results by category; the list beside it has the numbers">
        <PieChart accessibilityLayer={false}>
          <Fills chart="pie" />
          <Pie
            data={parts.filter(({ value }) => value > 0)}
            dataKey="value"
            nameKey="name"
            innerRadius="55%"
            outerRadius="95%"
            startAngle={90}
            endAngle={-270}
            stroke="var(--paper)"
            isAnimationActive={false}
          />
        </PieChart>
      </ChartFrame>
      <div className="shares">
        <Shares counts={counts} total={total} />
      </div>
    </div>
  );
}
