import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleSlash from "lucide-react/icons/circle-slash";
import Clock from "lucide-react/icons/clock";
import OctagonX from "lucide-react/icons/octagon-x";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { INTERVALS, useRefreshSeconds } from "./refresh-interval";
import { Badge } from "../../ui/badge";
import type { LiveQuery } from "../../ui/stale-note";
import { Select } from "../../ui/select";

export const NOT_KNOWN = "n/a";

/** How well something works. */
type Condition = "good" | "waiting" | "warning" | "fault" | "unknown";

/** Shapes tell conditions apart; one colour, which is none of a verdict, says where somebody has to look. */
const LOOKS: Record<Condition, readonly [tone: "plain" | "problem", Icon: LucideIcon]> = {
  good: ["plain", CircleCheck],
  waiting: ["plain", Clock],
  warning: ["problem", TriangleAlert],
  fault: ["problem", OctagonX],
  unknown: ["plain", CircleSlash],
};

/** Figures have the green, the yellow and the red that their limits are written down with. */
const FIGURE_TONES: Partial<Record<Condition, string>> = {
  good: "valid",
  warning: "risky",
  fault: "invalid",
};

/** A condition with the word that says the same. */
export type State = readonly [Condition, string];

export function StateBadge({ state: [condition, word] }: { state: State }): ReactNode {
  return <Badge look={[word, ...LOOKS[condition]]} />;
}

interface MeasureProps {
  name: string;
  /** Null where it was not measured. */
  value: string | null;
  note?: ReactNode;
  state?: State | null;
}

/** A measured figure; what is not known is neither good nor bad. */
export function Measure({ name, value, note, state }: MeasureProps): ReactNode {
  const [condition, word] = state ?? ["unknown", ""];
  const [, Icon] = LOOKS[condition];
  const tone = FIGURE_TONES[condition];
  return (
    <div className={tone && value !== null ? `measure tone-${tone}` : "measure"}>
      <dt>{name}</dt>
      <dd>
        <span className="measure-value nums">{value ?? NOT_KNOWN}</span>
        {state && value !== null ? (
          <span className="measure-state small">
            <Icon size={14} strokeWidth={2.5} aria-hidden />
            {word}
          </span>
        ) : null}
        {note ? <span className="muted small measure-note">{note}</span> : null}
      </dd>
    </div>
  );
}

/** @param percent 0 to 100. */
export function formatShare(percent: number | null | undefined): string | null {
  return percent === null || percent === undefined ? null : `${percent.toFixed(2).replace(/\.?0+$/, "")}%`;
}

export function formatMs(ms: number | null | undefined): string | null {
  if (ms === null || ms === undefined) return null;
  return ms > 0 && ms < 1 ? "under 1 ms" : `${formatNumber(ms)} ms`;
}

/** How often the figures are loaded again. */
export function RefreshChoice(): ReactNode {
  const [seconds, change] = useRefreshSeconds();
  return (
    <div className="filter">
      <span className="muted small" aria-hidden>
        Refresh every
      </span>
      <Select label="Refresh every" value={seconds} options={INTERVALS} onChange={change} />
    </div>
  );
}

/** When the shown values were read. */
export function LoadedAt({ query }: { query: LiveQuery }): ReactNode {
  if (query.data === undefined) return null;
  const at = new Date(query.dataUpdatedAt);
  return <span className="muted small nums">Read at {at.toLocaleTimeString("en-GB")}</span>;
}
