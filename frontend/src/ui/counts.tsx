import type { ReactNode } from "react";

import type { Counts } from "../api/types";
import { formatPercent, calculateShare } from "../lib/format";
import {
  CATEGORIES,
  CATEGORY_WORDS,
  getCategoryCount,
  LABEL_NEVER,
  LABEL_RISKY,
  LABEL_SAFE,
  countNeverSent,
} from "../lib/labels";
import { GLYPH_SHAPES } from "./glyph";
import { ResultBar } from "./progress";
import { ShortNumber } from "./values";

interface CountProps {
  name: ReactNode;
  value: number;
  total: number;
  tone?: string;
}

function Count({ name, value, total, tone = "unknown" }: CountProps): ReactNode {
  return (
    <div className={`count tone-${tone}`}>
      <dt>{name}</dt>
      <dd>
        <ShortNumber value={value} />
        <small>{formatPercent(calculateShare(value, total))}</small>
      </dd>
    </div>
  );
}

export type CategoryCounts = Omit<Counts, "safe_to_send_count" | "risky_count">;

/** How many of each category, as bar and figures. */
export function CategorySummary({ counts }: { counts: CategoryCounts }): ReactNode {
  return (
    <div className="stack-4">
      <ResultBar counts={counts} total={counts.total_emails} label="Results by category" />
      <dl className="counts counts-categories">
        {CATEGORIES.map((category) => {
          const Icon = GLYPH_SHAPES[category];
          const name = (
            <>
              <Icon size={16} aria-hidden />
              {CATEGORY_WORDS[category]}
            </>
          );
          const value = getCategoryCount(counts, category);
          return (
            <Count key={category} name={name} value={value} total={counts.total_emails} tone={category} />
          );
        })}
      </dl>
    </div>
  );
}

/** How many are safe, risky, or not to be sent to. */
export function DeliverabilitySummary({ counts }: { counts: Counts }): ReactNode {
  const total = counts.total_emails;
  return (
    <dl className="counts counts-labels">
      <Count name={LABEL_SAFE} value={counts.safe_to_send_count} total={total} />
      <Count name={LABEL_RISKY} value={counts.risky_count} total={total} />
      <Count name={LABEL_NEVER} value={countNeverSent(counts)} total={total} />
    </dl>
  );
}
