import type { ReactNode } from "react";

import type { AuditEntry } from "../../../api/types";
import { useAdminRows } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatDateTime, NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { BY_TIME, CursorPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { Section } from "../../../ui/section";

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A value before or after a change. */
function formatValue(value: unknown): string {
  if (value === null || value === "") return NO_VALUE;
  if (Array.isArray(value)) return value.map(formatValue).join(", ") || NO_VALUE;
  if (typeof value !== "string") return JSON.stringify(value);
  return MOMENT.test(value) ? formatDateTime(value) : value;
}

/** Before → after; what was not there before is named alone. */
function formatChange(values: unknown): string {
  if (!Array.isArray(values)) return formatValue(values);
  return (values[0] === null ? values.slice(1) : values).map(formatValue).join(" → ");
}

function Changes({ changes }: { changes: AuditEntry["changes"] }): ReactNode {
  return Object.entries(changes)
    .map(([field, values]) => [field.replaceAll("_", " "), formatChange(values)] as const)
    .filter(([, said]) => said !== NO_VALUE)
    .map(([field, said]) => (
      <div key={field} className="muted small break">
        {field}: {said}
      </div>
    ));
}

/** custom_plan:1 → Custom plan 1, incident 2 → Incident 2 */
function formatTarget(target: string): string {
  return /^[a-z_]+[: ]\S+$/.test(target) ? toSentenceCase(target.replace(":", " ")) : target;
}

const FILTERS = {
  staff: { label: "Search staff", hint: "Part of an address" },
  action: { label: "Search actions", hint: "Part of an action" },
  from: { day: "From" },
  to: { day: "To" },
};
const COLUMNS: readonly Column<AuditEntry>[] = [
  timeColumn("time", "Time", ({ time }) => time, { className: "muted nowrap" }),
  textColumn("who", "Who", ({ user }) => user, { className: "break" }),
  {
    key: "what",
    title: "What",
    className: "system-cell-wide",
    cell: ({ action, changes }) => (
      <>
        {action}
        <Changes changes={changes} />
      </>
    ),
  },
  textColumn("about", "About", ({ target }) => formatTarget(target), { className: "break small" }),
  textColumn("ip", "IP", ({ ip }) => ip ?? NO_VALUE, { className: "mono small" }),
];

/** What staff changed: who, what, when, from where. */
export function AuditLog(): ReactNode {
  const view = useTableView(FILTERS);
  const { staff, action, from, to } = view.values;
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const query = { user: staff, action, ...days, cursor: view.cursor };
  const audit = useAdminRows(["system", "audit", query], () =>
    readData(api.GET("/api/admin/audit", { params: { query } })),
  );
  return (
    <Section id="audit-heading" title="Audit">
      <FilterBar view={view} />
      <QueryTable
        label="Audit"
        phone="pairs"
        query={audit}
        fallback="Failed to load the audit"
        skeleton={4}
        view={view}
        columns={COLUMNS}
        pick={(found) => found.entries}
        getKey={(_, index) => index}
        empty={{
          title: "No staff action yet",
          text: "Each change that staff make is kept here, with the value before and after.",
        }}
        noMatch={{ title: "No staff action matches" }}
        foot={({ next }) => <CursorPager view={view} next={next} words={BY_TIME} />}
        shortened
      />
    </Section>
  );
}
