// What charts are made of beside their axes; loaded with recharts.
import type { ReactElement, ReactNode } from "react";
import { Bar, ResponsiveContainer, Tooltip } from "recharts";

import { formatNumber } from "../../../lib/format";
import { HEIGHT } from "./axes";
import { SERIES } from "./usage-series";

/** A chart over the whole width; the label says what it shows. */
export function ChartFrame({ label, children }: { label: string; children: ReactElement }): ReactNode {
  return (
    <div role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        {children}
      </ResponsiveContainer>
    </div>
  );
}

/** The series, one on top of the other. */
export const STACKED_BARS = SERIES.map(({ key, tone }) => (
  <Bar key={key} dataKey={key} stackId="all" fill={`var(--st-${tone})`} isAnimationActive={false} />
));

/** The tooltip of a chart of bars. */
export function buildBarTooltip(content: ReactElement): ReactNode {
  return <Tooltip content={content} cursor={{ fill: "var(--well)" }} isAnimationActive={false} />;
}

/** The tooltip of a chart of lines. */
export function buildLineTooltip(content: ReactElement): ReactNode {
  return <Tooltip content={content} cursor={{ stroke: "var(--line-strong)" }} isAnimationActive={false} />;
}

type PointLine = readonly [name: string, value: number | undefined, tone?: string];

/** What a tooltip says of a point. */
export function PointValues({ title, lines }: { title: string; lines: readonly PointLine[] }): ReactNode {
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
    </div>
  );
}
