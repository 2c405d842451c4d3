// Loaded after the figures, with recharts.
import { useCallback, useRef, type ReactNode } from "react";
import { ComposedChart, Line, LineChart } from "recharts";

import { formatPercent, NO_VALUE } from "../../../lib/format";
import { useMedia } from "../../../lib/use-media";
import { buildCounts, DAYS, GRID, MARGIN, PERCENT_AXIS, WEEKS } from "./axes";
import { buildGhost, buildStack, buildTooltip, ChartFrame, Follow, isDay, PointValues } from "./chart-parts";
import { Fills } from "./fills";
import { buildBarLink } from "./history-link";
import { formatBar, groupBars, hasPrevious, PREVIOUS, SERIES, type Day } from "./usage-series";

interface TooltipProps {
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}

function getDay({ active, payload }: TooltipProps): Day | null {
  const value = payload?.[0]?.payload;
  return active === true && isDay(value) ? value : null;
}

/** Of the highest bar or point of the previous period. */
export function findMost(days: readonly Day[]): number {
  return Math.max(0, ...days.flatMap(({ validations, previous }) => [validations, previous.validations]));
}

interface DayTooltipProps extends TooltipProps {
  weekly: boolean;
  /** Whether the previous period is drawn. */
  ghost: boolean;
  /** What pressing it does. */
  hint?: string;
}

export function DayTooltip({ weekly, ghost, hint, ...props }: DayTooltipProps): ReactNode {
  const day = getDay(props);
  if (!day) return null;
  const { date, categories, validations, previous } = day;
  const lines = SERIES.map(({ key, name }) => [name, categories[key], key] as const);
  const before = ghost
    ? ([[`${PREVIOUS}, ${formatBar(previous.date, weekly)}`, previous.validations, "ghost"]] as const)
    : [];
  return (
    <PointValues title={formatBar(date, weekly)} lines={[...lines, ["Total", validations], ...before]}>
      {hint ? <p className="muted">{hint}</p> : null}
    </PointValues>
  );
}

function formatShare(percent: number | null | undefined): string {
  return typeof percent === "number" ? `${formatPercent(percent / 100)} conclusive` : NO_VALUE;
}

function AccuracyTooltip({ ghost, ...props }: TooltipProps & { ghost: boolean }): ReactNode {
  const day = getDay(props);
  if (!day) return null;
  return (
    <div className="chart-tooltip">
      <strong>{formatBar(day.date, false)}</strong>
      <p>{formatShare(day.accuracy)}</p>
      {ghost ? (
        <p className="muted">
          {PREVIOUS}, {formatBar(day.previous.date, false)}: {formatShare(day.previous.accuracy)}
        </p>
      ) : null}
    </div>
  );
}

/** Checks by day, stacked; a press goes to what was checked then. */
export function UsageChart({ days }: { days: Day[] }): ReactNode {
  const { bars, weekly } = groupBars(days, useMedia("(width < 640px)"));
  const ghost = hasPrevious(days);
  const at = useRef<string | null>(null);
  const follow = useCallback((label: string | null) => {
    at.current = label;
  }, []);
  const open = (date: unknown) => {
    if (typeof date === "string") location.assign(buildBarLink(date, weekly, days));
  };
  const hint = `Press it to see what was checked ${weekly ? "in this week" : "on this day"}`;
  const label = `Validations ${weekly ? "by week" : "by day"}`;
  return (
    <ChartFrame label={`${label}; the table below has the numbers`} walked onEnter={() => open(at.current)}>
      <ComposedChart
        data={bars}
        margin={MARGIN}
        barCategoryGap="18%"
        accessibilityLayer
        aria-label={`${label}: arrow keys go through them, Enter opens History`}
        onClick={({ activeLabel }) => open(activeLabel)}
      >
        <Fills chart="usage" />
        {GRID}
        {weekly ? WEEKS : DAYS}
        {buildCounts(findMost(bars))}
        {buildTooltip(<DayTooltip weekly={weekly} ghost={ghost} hint={hint} />, "bar")}
        {buildStack("usage", ({ date }, category) =>
          location.assign(buildBarLink(date, weekly, days, category)),
        )}
        {ghost ? buildGhost("previous.validations") : null}
        <Follow onMove={follow} />
      </ComposedChart>
    </ChartFrame>
  );
}

/** Share of conclusive results by day; days without checks are skipped. */
export function AccuracyChart({ days }: { days: Day[] }): ReactNode {
  const ghost = hasPrevious(days);
  return (
    <ChartFrame label="Conclusive results by day, in percent; the table below has the numbers" walked>
      <LineChart
        data={days}
        margin={MARGIN}
        accessibilityLayer
        aria-label="Conclusive results by day: arrow keys go through them"
      >
        {GRID}
        {DAYS}
        {PERCENT_AXIS}
        {buildTooltip(<AccuracyTooltip ghost={ghost} />, "point")}
        {ghost ? buildGhost("previous.accuracy") : null}
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
