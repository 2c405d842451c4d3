import { History, SearchX } from "lucide-react";
import type { ReactNode } from "react";

import type { UserLog } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { Select, findOption } from "../select";
import { PageButtons, usePages } from "../pagination";
import { ShortenedList } from "../shortened-list";

const KINDS = [
  ["", "Everything"],
  ["sign_in", "Sign-ins"],
  ["key", "API keys"],
  ["settings", "Settings"],
  ["purchase", "Purchases"],
  ["validation", "Validations"],
  ["staff", "Staff"],
] as const;

function ActivityTable({ lines }: { lines: readonly UserLog[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-cards system-table">
        <TableHead columns={["Time", "User", "Action", "IP"]} />
        <tbody>
          {lines.map(({ timestamp, user, action, ip }, index) => (
            <tr key={index}>
              <td className="muted nowrap" data-label="Time">
                <Time at={timestamp} />
              </td>
              <td className="break" data-label="User">
                {user}
              </td>
              <td className="break" data-label="Action">
                {action}
              </td>
              <td className="mono small" data-label="IP">
                {ip ?? NO_VALUE}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface ActivityResultsProps {
  lines: readonly UserLog[];
  filtered: boolean;
  onClear: () => void;
}

function ActivityResults({ lines, filtered, onClear }: ActivityResultsProps): ReactNode {
  if (lines.length > 0) return <ActivityTable lines={lines} />;
  return filtered ? (
    <EmptyState
      icon={SearchX}
      title="No activity matches"
      action={<Button onClick={onClear}>Clear filters</Button>}
    >
      People are found by a part of their address.
    </EmptyState>
  ) : (
    <EmptyState icon={History} title="No activity yet" />
  );
}

/** What customers and staff did, newest first. */
export function SystemActivity(): ReactNode {
  const [url, setUrl] = useUrlState();
  const search = url.get("who") ?? "";
  const kind = findOption(KINDS, url.get("did"), "");
  const [cursors, setCursors] = usePages([search, kind].join("\n"));
  const query = { search, kind, cursor: cursors.at(-1) ?? "" };
  const activity = useAdminQuery(["system", "activity", query], () =>
    readData(api.GET("/api/admin/system/activity", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="activity-heading">
      <h2 id="activity-heading">Recent user activity</h2>
      <div className="toolbar">
        <SearchField
          label="Search activity"
          hint="Part of an address"
          value={search}
          onSearch={(value) => setUrl({ who: value }, "replace")}
        />
        <Select label="Kind" value={kind} options={KINDS} onChange={(value) => setUrl({ did: value })} />
      </div>
      <Loaded query={activity} fallback="Failed to load user activity" rows={6}>
        {(found) => (
          <ShortenedList
            rows={found.activity}
            pages={<PageButtons next={found.next} cursors={cursors} onChange={setCursors} />}
          >
            {(lines) => (
              <ActivityResults
                lines={lines}
                filtered={search + kind !== ""}
                onClear={() => setUrl({ who: null, did: null })}
              />
            )}
          </ShortenedList>
        )}
      </Loaded>
    </section>
  );
}
