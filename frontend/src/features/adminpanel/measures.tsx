import type { LucideIcon } from "lucide-react";
import CircleCheck from "lucide-react/icons/circle-check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import OctagonX from "lucide-react/icons/octagon-x";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import Wrench from "lucide-react/icons/wrench";
import type { ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { INTERVALS, useRefreshSeconds } from "./refresh-interval";
import { Badge } from "../../ui/badge";
import type { LiveQuery } from "../../ui/stale-note";
import { Select } from "../../ui/select";

export const NOT_KNOWN = "n/a";

/** What is measured, word and shape for colour. */
export type Tone = "valid" | "risky" | "invalid" | "unknown" | "catch_all";

const SHAPES: Record<Tone, LucideIcon> = {
  valid: CircleCheck,
  risky: TriangleAlert,
  invalid: OctagonX,
  unknown: CircleDashed,
  catch_all: Wrench,
};

/** A tone with the word that says the same. */
export type Verdict = readonly [Tone, string];

export function StateBadge({ state: [tone, word] }: { state: Verdict }): ReactNode {
  return <Badge look={[word, tone, SHAPES[tone]]} />;
}

interface MeasureProps {
  name: string;
  /** Null where it was not measured. */
  value: string | null;
  note?: ReactNode;
  verdict?: Verdict | null;
}

/** A measured figure; what is not known is neither good nor bad. */
export function Measure({ name, value, note, verdict }: MeasureProps): ReactNode {
  const [tone, word] = verdict ?? ["unknown", ""];
  const Icon = SHAPES[tone];
  return (
    <div className={verdict && value !== null ? `measure tone-${tone}` : "measure"}>
      <dt>{name}</dt>
      <dd>
        <span className="measure-value nums">{value ?? NOT_KNOWN}</span>
        {verdict && value !== null ? (
          <span className="measure-verdict small">
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
