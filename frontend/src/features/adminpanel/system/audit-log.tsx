import { SearchX, ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import type { AuditEntry } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatDateTime, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { toSentenceCase } from "../../../lib/labels";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { PageButtons, usePages } from "../pagination";
import { ShortenedList } from "../shortened-list";

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

function AuditTable({ entries }: { entries: readonly AuditEntry[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-cards system-table">
        <TableHead columns={["Time", "Who", "What", "About", "IP"]} />
        <tbody>
          {entries.map(({ time, user, action, target, changes, ip }, index) => (
            <tr key={index}>
              <td className="muted nowrap" data-label="Time">
                <Time at={time} />
              </td>
              <td className="break" data-label="Who">
                {user}
              </td>
              <td className="system-cell-wide" data-label="What">
                {action}
                <Changes changes={changes} />
              </td>
              <td className="break small" data-label="About">
                {formatTarget(target)}
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

interface AuditDayProps {
  word: string;
  value: string;
  onChange: (day: string) => void;
}

function AuditDay({ word, value, onChange }: AuditDayProps): ReactNode {
  return (
    <label className="row">
      <span>{word}</span>
      <input
        className="input system-day"
        type="date"
        aria-label={`${word} day (UTC)`}
        title={`${word} day (UTC)`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

const NAMES = ["staff", "action", "from", "to"] as const;

function useFilters() {
  const [url, setUrl] = useUrlState();
  const [staff = "", action = "", from = "", to = ""] = NAMES.map((name) => url.get(name) ?? "");
  return { staff, action, from, to, setUrl };
}

type Filters = ReturnType<typeof useFilters>;

function AuditFilters({ staff, action, from, to, setUrl }: Filters): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search staff"
        hint="Part of an address"
        value={staff}
        onSearch={(value) => setUrl({ staff: value }, "replace")}
      />
      <SearchField
        label="Search actions"
        hint="Part of an action"
        value={action}
        onSearch={(value) => setUrl({ action: value }, "replace")}
      />
      <AuditDay word="From" value={from} onChange={(day) => setUrl({ from: day })} />
      <AuditDay word="To" value={to} onChange={(day) => setUrl({ to: day })} />
    </div>
  );
}

function AuditResults({ entries, filters }: { entries: readonly AuditEntry[]; filters: Filters }): ReactNode {
  if (entries.length > 0) return <AuditTable entries={entries} />;
  const { staff, action, from, to, setUrl } = filters;
  const onClear = () => setUrl({ staff: null, action: null, from: null, to: null });
  return staff + action + from + to === "" ? (
    <EmptyState icon={ShieldCheck} title="No staff action yet" />
  ) : (
    <EmptyState
      icon={SearchX}
      title="No staff action matches"
      action={<Button onClick={onClear}>Clear filters</Button>}
    />
  );
}

/** What staff changed: who, what, when, from where. */
export function AuditLog(): ReactNode {
  const filters = useFilters();
  const { staff, action, from, to } = filters;
  const [cursors, setCursors] = usePages([staff, action, from, to].join("\n"));
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  const query = { user: staff, action, ...days, cursor: cursors.at(-1) ?? "" };
  const audit = useAdminQuery(["system", "audit", query], () =>
    readData(api.GET("/api/admin/audit", { params: { query } })),
  );
  return (
    <section className="stack-4" aria-labelledby="audit-heading">
      <h2 id="audit-heading">Audit</h2>
      <AuditFilters {...filters} />
      <Loaded query={audit} fallback="Failed to load the audit" rows={4}>
        {(found) => (
          <ShortenedList
            rows={found.entries}
            pages={<PageButtons next={found.next} cursors={cursors} onChange={setCursors} />}
          >
            {(entries) => <AuditResults entries={entries} filters={filters} />}
          </ShortenedList>
        )}
      </Loaded>
    </section>
  );
}
