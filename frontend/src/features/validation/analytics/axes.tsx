// What every chart is drawn on; loaded with recharts.
import { CartesianGrid, XAxis, YAxis } from "recharts";

import { formatShort } from "../../../lib/format";
import { formatTick } from "./usage-series";

/** In px. */
export const HEIGHT = 260;
export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };
const TICK = { fill: "var(--ink-2)", fontSize: 12 };
/** The line below the bars. */
export const BASE_AXIS = { tick: TICK, tickLine: false, stroke: "var(--line)", minTickGap: 48 };
/** Ticks at the side, without a line. */
export const SIDE_AXIS = { tick: TICK, tickLine: false, axisLine: false, width: 48 };

export const GRID = <CartesianGrid vertical={false} stroke="var(--line)" />;
export const DAYS = <XAxis dataKey="date" tickFormatter={formatTick} {...BASE_AXIS} />;
export const COUNTS = <YAxis tickFormatter={formatShort} allowDecimals={false} {...SIDE_AXIS} />;
