import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { ShowMore } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { useGrowingList } from "../../../lib/use-growing-list";
import { USERS } from "./use-users";
import { QueryList } from "../../../ui/data-table/query-table";

const getKey = (id: number) => ["admin", ...USERS, "activity", id];

/** Asks for the lines anew after one was written. */
export function reloadActivity(id: number): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: getKey(id) });
}

function useActivity(id: number) {
  return useGrowingList({
    key: getKey(id),
    load: (cursor) => {
      const params = { path: { user_id: id }, query: { cursor } };
      return readData(api.GET("/api/admin/users/{user_id}/activity", { params }));
    },
  });
}

/** What happened on an account, and who of the staff did it. */
export function UserActivity({ id }: { id: number }): ReactNode {
  const pages = useActivity(id);
  return (
    <div className="stack-4">
      <QueryList
        query={pages}
        fallback="Failed to load activity"
        skeleton={5}
        pick={({ pages: found }) => found.flatMap(({ activity }) => activity)}
        empty={{ title: "No activity yet", text: "Sign-ins, changes and what staff did appear here." }}
        className="user-matches user-lines"
        item={({ time, action, ip, staff }, index) => (
          <li key={index}>
            <span className="break">
              {action}
              {staff ? <span className="muted small"> by {staff}</span> : null}
            </span>
            <span className="muted small">
              <span className="mono">{ip ?? NO_VALUE}</span> · <Time at={time} />
            </span>
          </li>
        )}
      />
      <ShowMore pages={pages} />
    </div>
  );
}
