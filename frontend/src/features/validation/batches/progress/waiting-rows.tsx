import { useState, type ReactNode } from "react";

import type { BatchProgress } from "../../../../api/types";
import { formatNumber } from "../../../../lib/format";
import { formatAnnouncement, formatWaitingRows, formatWait } from "./waiting-labels";
import { Button } from "../../../../ui/button";
import { Term } from "../../../../ui/term";

const AT_FIRST = 3;

/** The rows that wait, by whom and what for: most rows first. It keeps its place while nothing waits. */
export function WaitingRows({ progress }: { progress: BatchProgress }): ReactNode {
  const [all, setAll] = useState(false);
  const { waiting, waiting_for } = progress;
  const first = waiting_for.slice(0, AT_FIRST);
  const more = waiting_for.length - first.length;
  return (
    <div className="waits">
      <div className="row row-between">
        <p className={waiting > 0 ? "waits-sum" : "muted"}>
          {waiting > 0 ? formatWaitingRows(waiting) : "No rows wait"}
        </p>
        {more > 0 ? (
          <Button kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show less" : `and ${formatNumber(more)} more`}
          </Button>
        ) : null}
      </div>
      {first.length > 0 ? (
        <ul aria-label="What rows wait for">
          {(all ? waiting_for : first).map((line) => (
            <li key={`${line.operator} ${line.reason}`}>{formatWait(line)}</li>
          ))}
        </ul>
      ) : null}
      {waiting_for.some(({ reason }) => reason === "greylisting") ? (
        <p className="muted small">
          <Term name="come_back_later">Why servers ask to come back later</Term>
        </p>
      ) : null}
      <p className="visually-hidden" role="status">
        {formatAnnouncement(first)}
      </p>
    </div>
  );
}
