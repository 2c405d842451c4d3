import type { ReactNode } from "react";

import type { UserLog } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { NO_VALUE } from "../../../lib/format";
import { timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { Section } from "../../../ui/section";

const KINDS = [
  ["", "Everything"],
  ["sign_in", "Sign-ins"],
  ["key", "API keys"],
  ["settings", "Settings"],
  ["purchase", "Purchases"],
  ["validation", "Validations"],
  ["member", "Members"],
  ["export", "Exports"],
  ["staff", "Staff"],
] as const;

const FILTERS = {
  who: { label: "Search activity", hint: "Part of an address" },
  did: { label: "Kind", options: KINDS },
};
const COLUMNS: readonly Column<UserLog>[] = [
  timeColumn("time", "Time", ({ timestamp }) => timestamp, { className: "muted nowrap" }),
  textColumn("user", "User", ({ user }) => user, { className: "break" }),
  textColumn("action", "Action", ({ action }) => action, { className: "break" }),
  textColumn("ip", "IP", ({ ip }) => ip ?? NO_VALUE, { className: "mono small" }),
];

/** What customers and staff did, newest first. */
export function SystemActivity(): ReactNode {
  const view = useTableView(FILTERS);
  const query = { search: view.values.who, kind: view.values.did, cursor: view.cursor };
  const activity = useAdminRows(["system", "activity", query], () =>
    readData(api.GET("/api/admin/system/activity", { params: { query } })),
  );
  return (
    <Section id="activity-heading" title="Recent user activity">
      <FilterBar view={view} />
      <QueryTable
        label="Recent user activity"
        phone="pairs"
        query={activity}
        fallback="Failed to load user activity"
        skeleton={6}
        view={view}
        columns={COLUMNS}
        pick={(found) => found.activity}
        getKey={(_, index) => index}
        empty={{ title: "No activity yet", text: "What people and the server do appears here." }}
        noMatch={{ title: "No activity matches", text: "People are found by a part of their address." }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
        shortened
      />
    </Section>
  );
}
