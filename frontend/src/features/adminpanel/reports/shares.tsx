import type { ReactNode } from "react";

import type { Category } from "../../../api/types";
import { calculateShare, formatPercent } from "../../../lib/format";
import { CATEGORY_WORDS } from "../../../lib/labels";
import type { CategoryNumbers } from "../../validation/analytics/usage-series";

/** The four groups of a range, of what they consist: each result once. */
const GROUPS: readonly (readonly [name: string, parts: readonly Category[]])[] = [
  ["Valid", ["valid"]],
  ["Risky", ["catch_all", "unknown"]],
  ["Invalid", ["invalid", "spam_trap"]],
  ["Disposable", ["disposable"]],
];

interface SharesProps {
  counts: CategoryNumbers;
  total: number;
}

/** Valid, risky, disposable and invalid as percents, with the categories they consist of; none of 0%. */
export function Shares({ counts, total }: SharesProps): ReactNode {
  return GROUPS.map(([name, parts]) => {
    const found = parts.filter((category) => counts[category] > 0);
    const sum = found.reduce((all, category) => all + counts[category], 0);
    if (sum === 0) return null;
    return (
      <div key={name} className="share-group">
        {parts.length > 1 ? (
          <p>
            <strong>{name} in all</strong>
            <strong className="nums">{formatPercent(calculateShare(sum, total))}</strong>
          </p>
        ) : null}
        <dl className="lines">
          {found.map((category) => (
            <div key={category} className={`tone-${category}`}>
              <dt>{CATEGORY_WORDS[category]}</dt>
              <dd>{formatPercent(calculateShare(counts[category], total))}</dd>
            </div>
          ))}
        </dl>
      </div>
    );
  });
}
