import { CircleCheck, ClipboardCheck, Clock, SearchX } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { toast } from "sonner";

import type { paths, PlanRequest } from "../../../api/types";
import { useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatMoney, formatCount } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Time } from "../../../ui/values";
import { findOption } from "../../adminpanel/select";
import { PageButtons, usePages } from "../../adminpanel/pagination";
import { ApproveButton, PLAN_REQUESTS } from "./approve-button";
import { Countdown } from "./countdown";

const FAILED = "Failed to fetch plan requests";
const REFRESH_MS = 30_000;
const PERIODS = [
  ["", "All"],
  ["monthly", "Monthly Only"],
  ["yearly", "Yearly Only"],
] as const;
const STATUSES = [
  ["", "All"],
  ["pending", "Pending Payment"],
  ["payment_received", "Paid"],
] as const;

type Query = NonNullable<paths["/api/admin/plan-requests"]["get"]["parameters"]["query"]>;

function useRequests(query: Query) {
  const found = useAdminQuery(
    [...PLAN_REQUESTS, query],
    () => readData(api.GET("/api/admin/plan-requests", { params: { query } })),
    () => REFRESH_MS, // customers pay and plans activate themselves meanwhile
  );
  const { error } = found;
  useEffect(() => {
    if (error) toast.error(FAILED);
  }, [error]);
  return found;
}

function useFilters() {
  const [url, update] = useUrlState();
  return {
    search: url.get("request") ?? "",
    period: findOption(PERIODS, url.get("request_period"), ""),
    status: findOption(STATUSES, url.get("paid"), ""),
    setSearch: (request: string) => update({ request }, "replace"),
    setPeriod: (value: string) => update({ request_period: value }),
    setStatus: (value: string) => update({ paid: value }),
    clear: () => update({ request: null, request_period: null, paid: null }),
  };
}

type Filters = ReturnType<typeof useFilters>;

interface FilterProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
}

function Filter({ label, value, options, onChange }: FilterProps): ReactNode {
  return (
    <label className="filter">
      <span className="muted small">{label}</span>
      <select className="input" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function RequestStatus({ request }: { request: PlanRequest }): ReactNode {
  const isPaid = request.status === "payment_received";
  const Icon = isPaid ? CircleCheck : Clock;
  return (
    <span className={`badge tone-${isPaid ? "valid" : "risky"}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {isPaid ? "Paid" : "Pending Payment"}
    </span>
  );
}

function RequestEntry({ request }: { request: PlanRequest }): ReactNode {
  const { quote_id, customer_email, selected_plan, amount_paid, payment_received_at, created_at } = request;
  return (
    <li className="list-row quote-request-row" aria-label={quote_id}>
      <div className="grow stack-1">
        <p className="row">
          <strong className="break">{customer_email}</strong>
          <RequestStatus request={request} />
        </p>
        <p className="muted small">
          <span className="mono">{quote_id}</span> · {selected_plan === "yearly" ? "Yearly" : "Monthly"} ·{" "}
          {payment_received_at ? (
            <>
              {amount_paid === null ? "" : `${formatMoney(amount_paid)} `}
              received <Time at={payment_received_at} />
            </>
          ) : (
            <>
              chosen <Time at={created_at} />
            </>
          )}
        </p>
        {request.auto_approval_at ? <Countdown until={request.auto_approval_at} /> : null}
      </div>
      <ApproveButton request={request} />
    </li>
  );
}

function Tools({ filters }: { filters: Filters }): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search plan requests"
        hint="Search by email or quote ID"
        value={filters.search}
        onSearch={filters.setSearch}
      />
      <Filter label="Billing" value={filters.period} options={PERIODS} onChange={filters.setPeriod} />
      <Filter label="Status" value={filters.status} options={STATUSES} onChange={filters.setStatus} />
    </div>
  );
}

function NoRequests({ filters, filtered }: { filters: Filters; filtered: boolean }): ReactNode {
  return filtered ? (
    <EmptyState
      icon={SearchX}
      title="No plan request matches"
      action={<Button onClick={filters.clear}>Clear filters</Button>}
    />
  ) : (
    <EmptyState icon={ClipboardCheck} title="No pending plan requests">
      When a customer chooses a plan of a quote, it waits here until it is active.
    </EmptyState>
  );
}

/** What customers chose of their quotes, until it is a plan. */
export function PlanRequests(): ReactNode {
  const filters = useFilters();
  const { search, period, status } = filters;
  const [cursors, setCursors] = usePages([search, period, status].join("\n"));
  const requests = useRequests({ search, period, status, cursor: cursors.at(-1) ?? "" });
  const filtered = search + period + status !== "";
  return (
    <section className="card stack-4" aria-labelledby="plan-requests-heading">
      <h2 id="plan-requests-heading">Plan requests</h2>
      <Tools filters={filters} />
      <Loaded query={requests} fallback={FAILED} rows={4}>
        {(found) =>
          found.requests.length === 0 ? (
            <NoRequests filters={filters} filtered={filtered} />
          ) : (
            <>
              <ul className="list-rows">
                {found.requests.map((request) => (
                  <RequestEntry key={request.id} request={request} />
                ))}
              </ul>
              <div className="row row-between">
                <p className="muted small nums">{formatCount(found.total, "request")}</p>
                <PageButtons
                  next={found.next}
                  cursors={cursors}
                  onChange={setCursors}
                  words={["Previous", "Next"]}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
