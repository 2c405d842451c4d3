import { useInfiniteQuery } from "@tanstack/react-query";
import { History as HistoryIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { Activity } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { LiveView } from "../../../ui/live-view";
import { EmptyState, ShowMore } from "../../../ui/states";
import { Time } from "../../../ui/values";

const KINDS = {
  "": "All activity",
  sign_in: "Sign-in",
  key: "API keys",
  settings: "Settings",
  purchase: "Purchases",
  validation: "Validation",
  staff: "Staff",
} as const;
type Kind = keyof typeof KINDS;

function isKind(text: string): text is Kind {
  return Object.hasOwn(KINDS, text);
}

function useActivity(kind: Kind) {
  return useInfiniteQuery({
    queryKey: ["activity", kind],
    queryFn: ({ pageParam }) => {
      const query = { ...(kind ? { kind } : {}), ...(pageParam ? { cursor: pageParam } : {}) };
      return readData(api.GET("/api/user/activity", { params: { query } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

function Line({ line }: { line: Activity }): ReactNode {
  return (
    <li className="list-row list-row-short">
      <div className="grow row">
        <span className="break">{line.action}</span>
        {line.by_staff ? <span className="badge tone-risky">Staff</span> : null}
      </div>
      <span className="mono muted">{line.ip ?? NO_VALUE}</span>
      <span className="muted list-time">
        <Time at={line.time} />
      </span>
    </li>
  );
}

function EmptyLog({ kind, onClear }: { kind: Kind; onClear: () => void }): ReactNode {
  if (kind === "") return <EmptyState icon={HistoryIcon} title="No activity yet" />;
  return (
    <EmptyState
      icon={HistoryIcon}
      title={`No activity of the kind ${KINDS[kind]}`}
      action={<Button onClick={onClear}>Clear filter</Button>}
    />
  );
}

interface LinesProps {
  lines: Activity[];
  kind: Kind;
  onClear: () => void;
}

function Lines({ lines, ...nothing }: LinesProps): ReactNode {
  if (lines.length === 0) return <EmptyLog {...nothing} />;
  return (
    <ul className="list-rows">
      {lines.map((line, index) => (
        <Line key={`${line.time}-${index}`} line={line} />
      ))}
    </ul>
  );
}

/** What happened on the account, newest first. */
export function ActivityLog(): ReactNode {
  const [url, setUrl] = useUrlState();
  const named = url.get("kind") ?? "";
  const kind = isKind(named) ? named : "";
  const pages = useActivity(kind);
  return (
    <div className="card stack-4">
      <div className="row row-between">
        <h3>Activity</h3>
        <select
          className="input"
          aria-label="Kind of activity"
          value={kind}
          onChange={(event) => setUrl({ kind: event.target.value })}
        >
          {Object.entries(KINDS).map(([value, word]) => (
            <option key={value} value={value}>
              {word}
            </option>
          ))}
        </select>
      </div>
      <LiveView query={pages} fallback="Failed to load activity" rows={5}>
        {({ pages: found }) => (
          <Lines
            lines={found.flatMap(({ activity }) => activity)}
            kind={kind}
            onClear={() => setUrl({ kind: null })}
          />
        )}
      </LiveView>
      <ShowMore pages={pages} />
    </div>
  );
}
