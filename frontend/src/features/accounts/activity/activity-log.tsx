import type { ReactNode } from "react";

import type { Activity } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { Badge } from "../../../ui/badge";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { ShowMore } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { useGrowingList } from "../../../lib/use-growing-list";

const KINDS = [
  ["", "All activity"],
  ["sign_in", "Sign-in"],
  ["key", "API keys"],
  ["settings", "Settings"],
  ["purchase", "Purchases"],
  ["validation", "Validation"],
  ["member", "Members"],
  ["export", "Exports"],
  ["staff", "Staff"],
] as const;
const FILTERS = { kind: { label: "Kind of activity", options: KINDS } };
type Kind = (typeof KINDS)[number][0];

function useActivity(kind: Kind) {
  return useGrowingList({
    key: ["activity", kind],
    load: (cursor) => {
      const query = { ...(kind ? { kind } : {}), ...(cursor ? { cursor } : {}) };
      return readData(api.GET("/api/user/activity", { params: { query } }));
    },
  });
}

function Line({ line }: { line: Activity }): ReactNode {
  return (
    <li className="list-row list-row-short">
      <div className="grow row">
        <span className="break">{line.action}</span>
        {line.by_staff ? <Badge look={["Staff", "neutral"]} /> : null}
      </div>
      <span className="mono muted">{line.ip ?? NO_VALUE}</span>
      <span className="muted list-time">
        <Time at={line.time} />
      </span>
    </li>
  );
}

/** What happened on the account, newest first. */
export function ActivityLog(): ReactNode {
  const view = useTableView(FILTERS);
  const { kind } = view.values;
  const pages = useActivity(kind);
  const word = KINDS.find(([key]) => key === kind)?.[1] ?? "";
  return (
    <div className="card stack-4 anchor" id="activity">
      <div className="row row-between">
        <h3>Activity</h3>
        <FilterBar view={view} />
      </div>
      <QueryList
        query={pages}
        fallback="Failed to load activity"
        skeleton={5}
        view={view}
        pick={({ pages: found }) => found.flatMap(({ activity }) => activity)}
        empty={{
          title: "No activity yet",
          text: "Sign-ins, keys, settings and payments are kept here, with the time and the address they came from.",
        }}
        noMatch={{ title: `No activity of the kind ${word}`, action: "Clear filter" }}
        item={(line, index) => <Line key={`${line.time}-${index}`} line={line} />}
      />
      <ShowMore pages={pages} />
    </div>
  );
}
