import CircleCheck from "lucide-react/icons/circle-check";
import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";

import type { paths, PlanRequest } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatMoney } from "../../../lib/format";
import { Badge, type Look } from "../../../ui/badge";
import { Section } from "../../../ui/section";
import { Time } from "../../../ui/values";
import { ApproveButton, PLAN_REQUESTS } from "./approve-button";
import { Countdown } from "./countdown";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { QueryList } from "../../../ui/data-table/query-table";
import { useTableView } from "../../../ui/data-table/use-table-view";
import { CursorPager } from "../../../ui/data-table/pager";
import { useAdminRows } from "../../adminpanel/use-admin-query";
import { useLoadToast } from "../../../lib/use-action";

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
  const found = useAdminRows(
    [...PLAN_REQUESTS, query],
    () => readData(api.GET("/api/admin/plan-requests", { params: { query } })),
    () => REFRESH_MS, // customers pay and plans activate themselves meanwhile
  );
  useLoadToast(found, FAILED, "described");
  return found;
}

const FILTERS = {
  request: { label: "Search plan requests", hint: "Search by email or quote ID" },
  request_period: { label: "Billing", options: PERIODS, shown: true },
  paid: { label: "Status", options: STATUSES, shown: true },
};

const PAID: Look = ["Paid", "plain", CircleCheck];
const UNPAID: Look = ["Pending Payment", "plain", Clock];

function RequestEntry({ request }: { request: PlanRequest }): ReactNode {
  const { quote_id, customer_email, selected_plan, amount_paid, payment_received_at, created_at } = request;
  return (
    <li className="list-row quote-request-row" aria-label={quote_id}>
      <div className="grow stack-1">
        <p className="row">
          <strong className="break">{customer_email}</strong>
          <Badge look={request.status === "payment_received" ? PAID : UNPAID} />
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

/** What customers chose of their quotes, until it is a plan. */
export function PlanRequests(): ReactNode {
  const view = useTableView(FILTERS);
  const { request, request_period, paid } = view.values;
  const requests = useRequests({
    search: request,
    period: request_period,
    status: paid,
    cursor: view.cursor,
  });
  return (
    <Section id="plan-requests-heading" title="Plan requests" card>
      <FilterBar view={view} />
      <QueryList
        query={requests}
        fallback={FAILED}
        skeleton={4}
        view={view}
        pick={(found) => found.requests}
        empty={{
          title: "No pending plan requests",
          plain: true,
          text: "When a customer chooses a plan of a quote, it waits here until it is active.",
        }}
        noMatch={{ title: "No plan request matches" }}
        foot={(found) => <CursorPager {...found} view={view} thing="request" />}
        item={(one) => <RequestEntry key={one.id} request={one} />}
      />
    </Section>
  );
}
