// Loaded after the figures, with recharts.
import type { ReactNode } from "react";
import { Bar, BarChart, LabelList, Line, LineChart, XAxis, YAxis } from "recharts";

import { formatPercent, formatShort, calculateShare } from "../../../lib/format";
import { COUNTS, DAYS, GRID, MARGIN, SIDE_AXIS } from "./axes";
import { groupBars, BUCKETS, formatBar, SERIES } from "./usage-series";
import type { Analytics, Day } from "./use-analytics";
import { ChartFrame, STACKED_BARS, buildBarTooltip, buildLineTooltip, PointValues } from "./chart-parts";

interface TooltipProps {
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}

function isDay(value: unknown): value is Day {
  return typeof value === "object" && value !== null && "date" in value;
}

function getDay({ active, payload }: TooltipProps): Day | null {
  const value = payload?.[0]?.payload;
  return active === true && isDay(value) ? value : null;
}

export function DayTooltip({ weekly, ...props }: TooltipProps & { weekly: boolean }): ReactNode {
  const day = getDay(props);
  if (!day) return null;
  const lines = SERIES.map(({ key, name, tone }) => [name, day[key], tone] as const);
  return <PointValues title={formatBar(day.date, weekly)} lines={[...lines, ["Total", day.validations]]} />;
}

function AccuracyTooltip(props: TooltipProps): ReactNode {
  const day = getDay(props);
  if (!day) return null;
  return (
    <div className="chart-tooltip">
      <strong>{formatBar(day.date, false)}</strong>
      <p>{formatPercent((day.accuracy ?? 0) / 100)} conclusive</p>
    </div>
  );
}

/** Checks by day, stacked. */
export function UsageChart({ days }: { days: Day[] }): ReactNode {
  const { bars, weekly } = groupBars(days);
  return (
    <ChartFrame label={`Validations ${weekly ? "by week" : "by day"}; the table below has the numbers`}>
      <BarChart data={bars} margin={MARGIN} barCategoryGap="18%" accessibilityLayer={false}>
        {GRID}
        {DAYS}
        {COUNTS}
        {buildBarTooltip(<DayTooltip weekly={weekly} />)}
        {STACKED_BARS}
      </BarChart>
    </ChartFrame>
  );
}

/** Each result in one of four buckets. */
export function BucketChart({ buckets, total }: Pick<Analytics, "buckets" | "total">): ReactNode {
  const bars = BUCKETS.map(({ key, name, tone }) => ({
    name,
    value: buckets[key],
    fill: `var(--st-${tone})`,
    label: `${formatShort(buckets[key])} · ${formatPercent(calculateShare(buckets[key], total))}`,
  }));
  return (
    <ChartFrame label="Results by category; the table below has the numbers">
      <BarChart data={bars} layout="vertical" margin={{ ...MARGIN, right: 104 }} accessibilityLayer={false}>
        <XAxis type="number" hide domain={[0, "dataMax"]} />
        <YAxis type="category" dataKey="name" {...SIDE_AXIS} width={80} />
        <Bar dataKey="value" isAnimationActive={false} barSize={24} radius={2}>
          <LabelList dataKey="label" position="right" fill="var(--ink)" fontSize={12} />
        </Bar>
      </BarChart>
    </ChartFrame>
  );
}

/** Share of conclusive results by day; days without checks are skipped. */
export function AccuracyChart({ days }: { days: Day[] }): ReactNode {
  return (
    <ChartFrame label="Conclusive results by day, in percent; the table below has the numbers">
      <LineChart data={days} margin={MARGIN} accessibilityLayer={false}>
        {GRID}
        {DAYS}
        <YAxis domain={[0, 100]} tickFormatter={(value: number) => `${value}%`} {...SIDE_AXIS} />
        {buildLineTooltip(<AccuracyTooltip />)}
        <Line
          dataKey="accuracy"
          stroke="var(--accent)"
          strokeWidth={2}
          dot={{ r: 2 }}
          connectNulls
          isAnimationActive={false}
        />
      </LineChart>
    </ChartFrame>
  );
}
