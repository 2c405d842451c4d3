// What charts are made of beside their axes; loaded with recharts.
import { useEffect, useEffectEvent, useRef, type ReactElement, type ReactNode } from "react";
import { Bar, Line, ResponsiveContainer, Tooltip, useActiveTooltipLabel } from "recharts";

import type { Category } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { HEIGHT } from "./axes";
import { getFill } from "./fills";
import { PREVIOUS, SERIES, type Day } from "./usage-series";

interface ChartFrameProps {
  label: string;
  children: ReactElement;
  /** Says that the arrow keys go through it; it is a picture otherwise. */
  walked?: boolean;
  /** Told when Enter is pressed in it. */
  onEnter?: () => void;
}

/** A chart over the whole width; the label says what it shows. */
export function ChartFrame({ label, children, walked = false, onEnter }: ChartFrameProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const press = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === "Enter") onEnter?.();
  });
  // Before the chart hears it, which ends its crosshair.
  useEffect(() => {
    const node = frame.current;
    const listen = (event: KeyboardEvent) => press(event);
    node?.addEventListener("keydown", listen, { capture: true });
    return () => node?.removeEventListener("keydown", listen, { capture: true });
  }, []);
  return (
    <div ref={frame} role={walked ? "group" : "img"} aria-label={label}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        {children}
      </ResponsiveContainer>
    </div>
  );
}

/** Tells which bar or point the crosshair is at; stands in a chart. */
export function Follow({ onMove }: { onMove: (label: string | null) => void }): ReactNode {
  const label = useActiveTooltipLabel();
  useEffect(() => onMove(typeof label === "string" ? label : null), [label, onMove]);
  return null;
}

type Press = (day: Day, category: Category) => void;

/** The six categories of days or other spans, one on top of the other. */
export function buildStack(chart: string, onPress?: Press): ReactNode {
  return SERIES.map(({ key }) => (
    <Bar
      key={key}
      dataKey={`categories.${key}`}
      stackId="all"
      fill={getFill(chart, key)}
      maxBarSize={96}
      isAnimationActive={false}
      {...(onPress ? { onClick: buildPress(onPress, key) } : {})}
    />
  ));
}

function buildPress(onPress: Press, category: Category) {
  return ({ payload }: { payload?: unknown }, _: number, event: { stopPropagation: () => void }) => {
    event.stopPropagation(); // the day alone is behind the bar
    if (isDay(payload)) onPress(payload, category);
  };
}

export function isDay(value: unknown): value is Day {
  return typeof value === "object" && value !== null && "previous" in value;
}

/** The previous period: dashed and muted, behind the crosshair alone. */
export function buildGhost(dataKey: string): ReactNode {
  return (
    <Line
      dataKey={dataKey}
      name={PREVIOUS}
      className="ghost"
      stroke="var(--ink-3)"
      strokeWidth={1.5}
      strokeDasharray="4 4"
      dot={false}
      activeDot={false}
      connectNulls
      isAnimationActive={false}
    />
  );
}

/** The tooltip with the crosshair: a band behind a bar, or a line at a point. */
export function buildTooltip(content: ReactElement, at: "bar" | "point"): ReactNode {
  const cursor = at === "bar" ? { fill: "var(--well)" } : { stroke: "var(--line-strong)" };
  return <Tooltip content={content} cursor={cursor} isAnimationActive={false} />;
}

type PointLine = readonly [name: string, value: number | undefined, tone?: string];

interface PointValuesProps {
  title: string;
  lines: readonly PointLine[];
  children?: ReactNode;
}

/** What a tooltip says of a point. */
export function PointValues({ title, lines, children }: PointValuesProps): ReactNode {
  return (
    <div className="chart-tooltip">
      <strong>{title}</strong>
      <dl>
        {lines.map(([name, value, tone]) => (
          <div key={name} className={tone && `tone-${tone}`}>
            <dt>{name}</dt>
            <dd>{formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      {children}
    </div>
  );
}
