import type { ReactNode } from "react";

import { calculateShare, formatNumber, formatPercent } from "../../../lib/format";
import { buildHistoryLink } from "./history-link";
import { SERIES, sumCategories } from "./usage-series";
import type { Analytics } from "./use-analytics";

/** How many of each category, each a way to those in History. */
export function CategoryBars({ days, total }: Pick<Analytics, "days" | "total">): ReactNode {
  const counts = sumCategories(days);
  const most = Math.max(1, ...Object.values(counts));
  const [from = "", to = ""] = [days.at(0)?.date, days.at(-1)?.date];
  return (
    <ul className="category-bars" aria-label="Results by category">
      {SERIES.map(({ key, name }) => (
        <li key={key} className={`tone-${key}`}>
          <a href={buildHistoryLink(from, to, key)}>
            <span>{name}</span>
            <span className="bar" aria-hidden>
              <span style={{ width: `${(calculateShare(counts[key], most) * 100).toFixed(2)}%` }} />
            </span>
            <span className="nums">
              {formatNumber(counts[key])} · {formatPercent(calculateShare(counts[key], total))}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
