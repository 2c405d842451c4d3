// Loaded after the figures, with recharts.
import type { ReactNode } from "react";
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";

import type { ApiHealth } from "../../../api/types";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { BASE_AXIS, MARGIN, SIDE_AXIS } from "../../validation/analytics/axes";
import { ChartTable } from "../../validation/analytics/tables";
import { buildTooltip, ChartFrame, PointValues } from "../../validation/analytics/chart-parts";
import { buildCountAxis } from "../../validation/analytics/ticks";
import { listTimes } from "./times";

type Point = ApiHealth["performanceData"][number];

const DAY_MS = 86_400_000;
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const SERIES = [
  {
    key: "avg_response",
    name: "Average response, ms",
    tone: "accent",
    axis: "ms",
    stroke: "var(--accent)",
    dash: "0",
  },
  {
    key: "requests",
    name: "Requests",
    tone: "plain",
    axis: "count",
    stroke: "var(--line-strong)",
    dash: "6 3",
  },
  { key: "errors", name: "Errors", tone: "problem", axis: "count", stroke: "var(--danger)", dash: "2 3" },
] as const;

interface TooltipProps {
  active?: boolean;
  payload?: readonly { payload?: unknown }[];
}

function isPoint(value: unknown): value is Point {
  return typeof value === "object" && value !== null && "avg_response" in value;
}

function PointTooltip({ active, payload }: TooltipProps): ReactNode {
  const point = payload?.[0]?.payload;
  if (active !== true || !isPoint(point)) return null;
  const lines = SERIES.map(({ key, name, tone }) => [name, point[key], tone] as const);
  return <PointValues title={clock.format(new Date(point.time))} lines={lines} />;
}

function Legend(): ReactNode {
  return (
    <ul className="chart-legend">
      {SERIES.map(({ key, name, tone }) => (
        <li key={key} className={`line-${tone}`}>
          {name}
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly Column<Point>[] = [
  textColumn("time", "Time", ({ time }) => clock.format(new Date(time)), {
    className: "nums",
    csv: ({ time }) => time,
  }),
  ...SERIES.map(({ key, name }) => numberColumn(key, name, (point: Point) => point[key])),
];

interface PlottedPoint extends Point {
  /** Milliseconds since 1970. */
  at: number;
}

interface ChartLinesProps {
  data: PlottedPoint[];
  until: number;
}

function ChartLines({ data, until }: ChartLinesProps): ReactNode {
  const most = (read: (point: Point) => number) => Math.max(0, ...data.map(read));
  const counts = buildCountAxis(most(({ requests, errors }) => Math.max(requests, errors)));
  const from = Math.max(until - DAY_MS, data[0]?.at ?? 0);
  return (
    <LineChart
      data={data}
      margin={{ ...MARGIN, right: 0 }}
      accessibilityLayer
      aria-label="Performance by time: arrow keys go through it"
    >
      <CartesianGrid vertical={false} stroke="var(--line)" yAxisId="ms" />
      <XAxis
        dataKey="at"
        type="number"
        scale="time"
        domain={[from, until]}
        ticks={listTimes(from, until)}
        tickFormatter={(at: number) => clock.format(new Date(at))}
        {...BASE_AXIS}
      />
      <YAxis yAxisId="ms" {...buildCountAxis(most(({ avg_response }) => avg_response))} {...SIDE_AXIS} />
      <YAxis yAxisId="count" orientation="right" {...counts} {...SIDE_AXIS} />
      {buildTooltip(<PointTooltip />, "point")}
      {SERIES.map(({ key, name, stroke, dash, axis }) => (
        <Line
          key={key}
          yAxisId={axis}
          dataKey={key}
          name={name}
          stroke={stroke}
          strokeWidth={2}
          strokeDasharray={dash}
          dot={{ r: 2 }}
          isAnimationActive={false}
        />
      ))}
    </LineChart>
  );
}

interface PerformanceChartProps {
  points: readonly Point[];
  /** When they were read: milliseconds since 1970. */
  until: number;
}

/** The day before `until`; times on the left, counts on the right. Steps without calls are gaps on the time axis. */
export function PerformanceChart({ points, until }: PerformanceChartProps): ReactNode {
  const data = points.map((point) => ({ ...point, at: new Date(point.time).getTime() }));
  return (
    <div className="stack-2">
      <Legend />
      <div className="chart">
        <ChartFrame
          label="Average response, requests and errors by time; the table below has the numbers"
          walked
        >
          <ChartLines data={data} until={until} />
        </ChartFrame>
      </div>
      <ChartTable
        name="Requests by time"
        file="performance"
        columns={COLUMNS}
        rows={points}
        getKey={({ time }) => time}
      />
    </div>
  );
}
