import type { ReactNode } from "react";

import type { AuditLine } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { downloadFile } from "../../../lib/download-file";
import { NO_VALUE, formatDateTime, formatDay } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import { useGrowingList } from "../../../lib/use-growing-list";
import { Button } from "../../../ui/button";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryTable } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { ShowMore } from "../../../ui/states";

const KINDS = [
  ["", "All kinds"],
  ["member", "Members"],
  ["key", "API keys"],
  ["settings", "Settings"],
  ["purchase", "Money"],
  ["validation", "Lists"],
  ["export", "Exports"],
  ["sign_in", "Sign-ins"],
  ["staff", "EmailCheck staff"],
] as const;
const FILTERS = {
  who: { label: "Who", hint: "Name or address" },
  kind: { label: "Kind", options: KINDS },
  action: { label: "Action" },
  since: { day: "From" },
  to: { day: "To" },
} as const;

type Values = ReturnType<typeof useTableView<typeof FILTERS>>["values"];

/** The filters that say something. */
function pickFilters(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
}

function useAudit(values: Values) {
  return useGrowingList({
    key: ["organisation-audit", values],
    load: async (cursor) => {
      const query = { ...pickFilters(values), ...(cursor ? { cursor } : {}) };
      const page = await readData(api.GET("/api/organisation/audit", { params: { query } }));
      return { lines: page.lines, next: page.next_cursor };
    },
    staleTime: 0,
  });
}

function writeValue(value: unknown): string {
  if (value === null || value === "") return "none";
  if (Array.isArray(value)) return value.map(writeValue).join(", ") || "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Changes({ changes }: { changes: AuditLine["changes"] }): ReactNode {
  return Object.entries(changes).map(([name, [before, after]]) => (
    <div key={name}>
      {name.replaceAll("_", " ")}: {writeValue(before)} → {writeValue(after)}
    </div>
  ));
}

function describeRole({ role, via }: AuditLine): string {
  return [role, via ? `via ${via}` : ""].filter(Boolean).join(" ");
}

const COLUMNS: readonly Column<AuditLine>[] = [
  textColumn("time", "Time", ({ time }) => <time dateTime={time}>{formatDateTime(time)}</time>, {
    className: "muted",
    labelled: false,
  }),
  textColumn("who", "Who", ({ who }) => <span className="break">{who}</span>, { note: describeRole }),
  textColumn("action", "Action", ({ action }) => <span className="break">{action}</span>, {
    note: ({ changes }) => (Object.keys(changes).length ? <Changes changes={changes} /> : null),
  }),
  textColumn("target", "Target", ({ target }) => <span className="break">{target || NO_VALUE}</span>),
  textColumn(
    "ip",
    "IP",
    ({ ip }) => <span className={ip?.includes(":") ? "mono break" : "mono nowrap"}>{ip ?? NO_VALUE}</span>,
    {
      className: "muted",
    },
  ),
];

function Download({ values }: { values: Values }): ReactNode {
  const download = useAction(() => {
    const query = new URLSearchParams(pickFilters(values));
    return downloadFile(`/api/organisation/audit/export?${query}`, `audit-${formatDay()}.csv`);
  }, "The audit log could not be downloaded");
  return (
    <Button busy={download.isPending} changes={false} onClick={() => download.mutate()}>
      Download CSV
    </Button>
  );
}

/** Who did what in the organisation in the last 12 months, newest first. */
export function TeamAudit(): ReactNode {
  const view = useTableView(FILTERS);
  const pages = useAudit(view.values);
  return (
    <div className="stack-4">
      <FilterBar view={view}>
        <Download values={view.values} />
      </FilterBar>
      <QueryTable
        label="Audit log"
        query={pages}
        fallback="Failed to load the audit log"
        skeleton={8}
        view={view}
        pick={({ pages: found }) => found.flatMap(({ lines }) => lines)}
        columns={COLUMNS}
        getKey={(line, index) => `${line.time}-${index}`}
        phone="cards"
        empty={{
          title: "Nothing yet",
          text: "What members, keys, our staff and the product do here is kept for 12 months.",
        }}
        noMatch={{ title: "Nothing matches the filters" }}
      />
      <ShowMore pages={pages} />
    </div>
  );
}
