import type { ReactNode } from "react";

import { formatDuration, formatNumber, NO_VALUE } from "../../../lib/format";
import { formatMs, Measure } from "../measures";
import { LiveCard } from "./live-card";
import { useMetrics } from "./queries";

const QUEUES: Partial<Record<string, string>> = {
  high: "Short tasks",
  mail: "Mails",
  bulk: "Lists",
  hooks: "Webhooks",
};

/** What waits, and how fast lists go. */
export function WorkCard(): ReactNode {
  const query = useMetrics();
  return (
    <LiveCard
      id="work-heading"
      title="Queues and lists"
      query={query}
      fallback="Failed to load metrics"
      rows={3}
    >
      {({ overview: { queues, work } }) => (
        <dl className="measures">
          {queues.map(({ name, waiting, oldest_seconds }) => (
            <Measure
              key={name}
              name={`${QUEUES[name] ?? name} waiting`}
              value={formatNumber(waiting)}
              note={waiting > 0 ? `The oldest for ${formatDuration(oldest_seconds)}` : "Nothing waits"}
            />
          ))}
          <Measure name="Rows checked" value={formatNumber(work.rows)} note="Of lists, in the last hour" />
          <Measure
            name="Chunks checked"
            value={formatNumber(work.chunks)}
            note={
              work.chunks > 0
                ? `${formatMs(work.seconds_per_chunk * 1000) ?? NO_VALUE} each, on average`
                : NO_VALUE
            }
          />
        </dl>
      )}
    </LiveCard>
  );
}
