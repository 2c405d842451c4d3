import type { ReactNode } from "react";

import { formatNumber, formatPercent, calculateShare } from "../../../lib/format";
import { SERIES, sumCategories } from "../../validation/analytics/usage-series";
import type { OverallFigures } from "./use-overall-figures";
import { Facts } from "../../../ui/facts";

interface PanelProps {
  title: string;
  children: ReactNode;
}

function Panel({ title, children }: PanelProps): ReactNode {
  return (
    <section className="card stack-4" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** How many of each category. */
export function QuickStats({ days, total }: Pick<OverallFigures, "days" | "total">): ReactNode {
  const counts = sumCategories(days);
  return (
    <Panel title="Quick Stats">
      {total === 0 ? (
        <p className="muted">No validation data available</p>
      ) : (
        <dl className="lines">
          {SERIES.map(({ key, name }) => (
            <div key={key} className={`tone-${key}`}>
              <dt>{name}</dt>
              <dd>
                {formatNumber(counts[key])}
                <small>{formatPercent(calculateShare(counts[key], total))}</small>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}

/** How the API does, measured. */
export function SystemHealth({ health }: { health: OverallFigures["advanced"]["systemHealth"] }): ReactNode {
  if (health === null) return null;
  const { uptime, errorRate, apiCallsToday } = health;
  return (
    <Panel title="System Health">
      <Facts
        className="lines"
        facts={[
          ["Uptime, last 24 hours", uptime === null ? "not measured" : formatPercent(uptime / 100)],
          ["Error rate today (UTC)", formatPercent(errorRate / 100)],
          ["API calls today (UTC)", formatNumber(apiCallsToday)],
        ]}
      />
    </Panel>
  );
}

/** Sentences with the numbers behind them. */
export function Insights({ sentences }: { sentences: readonly string[] }): ReactNode {
  if (sentences.length === 0) return null;
  return (
    <section className="card" aria-label="Insights">
      <div className="card-head">
        <h3>Insights</h3>
      </div>
      <ul className="insights">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}
