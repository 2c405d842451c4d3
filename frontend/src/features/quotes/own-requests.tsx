import { useQuery } from "@tanstack/react-query";
import { CircleX, Clock, Hourglass, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { MyPlanRequest, MyRequest } from "../../api/types";
import { api, dataOf } from "../../lib/client";
import { formatDateTime, formatMoney, formatNumber } from "../../lib/format";
import { ACTIVATION_MS, OWN_REQUESTS } from "./quotes";
import { StaleNote } from "../../ui/stale-note";
import { ErrorState } from "../../ui/states";
import { Time } from "../../ui/values";

const FAILED = "Failed to load your requests";

interface RowProps {
  title: string;
  badge: readonly [string, string, LucideIcon];
  children: ReactNode;
}

function Row({ title, badge: [word, tone, Icon], children }: RowProps): ReactNode {
  return (
    <li className="list-row">
      <div className="grow stack-1">
        <p className="row">
          <strong className="nums">{title}</strong>
          <span className={`badge tone-${tone}`}>
            <Icon size={14} strokeWidth={2.5} aria-hidden />
            {word}
          </span>
        </p>
        <p className="muted small break">{children}</p>
      </div>
    </li>
  );
}

function Asked({ request }: { request: MyRequest }): ReactNode {
  const open = request.status === "PENDING";
  return (
    <Row
      title={`${formatNumber(request.credits_needed)} credits`}
      badge={
        open ? ["Waiting for our quote", "risky", Hourglass] : ["Closed without a quote", "unknown", CircleX]
      }
    >
      Requested <Time at={request.created_at} />
      {request.company_name ? ` · ${request.company_name}` : ""}
    </Row>
  );
}

function Chosen({ request }: { request: MyPlanRequest }): ReactNode {
  const { quote_id, credits_needed, selected_plan, status, amount_paid, auto_approval_at, created_at } =
    request;
  const paid = status === "payment_received";
  return (
    <Row
      title={`${formatNumber(credits_needed)} credits, ${selected_plan}`}
      badge={paid ? ["Payment received", "valid", Clock] : ["Payment open", "risky", Hourglass]}
    >
      <span className="mono">{quote_id}</span> ·{" "}
      {paid ? (
        <>
          {amount_paid === null ? "" : `${formatMoney(amount_paid)} paid · `}
          {auto_approval_at ? `active by ${formatDateTime(auto_approval_at)}` : "about to be active"}
        </>
      ) : (
        <>
          chosen <Time at={created_at} />, not paid yet
        </>
      )}
    </Row>
  );
}

/** What the customer asked for or chose, and is no quote or active plan yet; nothing while there is nothing. */
export function OwnRequests(): ReactNode {
  const mine = useQuery({
    queryKey: OWN_REQUESTS,
    queryFn: () => dataOf(api.GET("/api/quotes/my-requests")),
    refetchInterval: ({ state }) =>
      state.data?.plan_requests.some(({ status }) => status === "payment_received") ? ACTIVATION_MS : false,
  });
  if (mine.error && mine.data === undefined) {
    return (
      <section className="card">
        <ErrorState query={mine} fallback={FAILED} />
      </section>
    );
  }
  const { requests = [], plan_requests: chosen = [] } = mine.data ?? {};
  if (requests.length + chosen.length === 0) return <StaleNote query={mine} fallback={FAILED} />;
  return (
    <section className="card stack-4" aria-labelledby="own-requests-heading">
      <h2 id="own-requests-heading">Your requests</h2>
      <StaleNote query={mine} fallback={FAILED} />
      <ul className="list-rows">
        {chosen.map((request) => (
          <Chosen key={`plan-${request.id}`} request={request} />
        ))}
        {requests.map((request) => (
          <Asked key={request.id} request={request} />
        ))}
      </ul>
    </section>
  );
}
