// What every chart is drawn on; loaded with recharts.
import { CartesianGrid, XAxis, YAxis } from "recharts";

import { buildCountAxis } from "./ticks";
import { formatTick } from "./usage-series";

/** In px. */
export const HEIGHT = 260;
export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const TICK = { fill: "var(--ink-2)", fontSize: 12 };
/** The line below the bars. */
export const BASE_AXIS = { tick: TICK, tickLine: false, stroke: "var(--line-strong)", minTickGap: 48 };
/** Ticks at the side, without a line. */
export const SIDE_AXIS = { tick: TICK, tickLine: false, axisLine: false, width: 48, interval: 0 };

export const GRID = <CartesianGrid vertical={false} stroke="var(--line)" />;
export const DAYS = <XAxis dataKey="date" tickFormatter={formatTick} {...BASE_AXIS} />;
/** The same for bars of seven days, which it says. */
export const WEEKS = (
  <XAxis
    dataKey="date"
    tickFormatter={formatTick}
    {...BASE_AXIS}
    height={48}
    label={{ value: "By week, from its first day", position: "insideBottom", ...TICK }}
  />
);

/** The axis of counts up to `most`. */
export function buildCounts(most: number) {
  return <YAxis {...buildCountAxis(most)} {...SIDE_AXIS} />;
}

const PERCENTS = [0, 20, 40, 60, 80, 100];
export const PERCENT_AXIS = (
  <YAxis domain={[0, 100]} ticks={PERCENTS} tickFormatter={(value: number) => `${value}%`} {...SIDE_AXIS} />
);
