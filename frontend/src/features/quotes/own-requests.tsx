import { useQuery } from "@tanstack/react-query";
import CircleX from "lucide-react/icons/circle-x";
import Clock from "lucide-react/icons/clock";
import Hourglass from "lucide-react/icons/hourglass";
import type { ReactNode } from "react";

import type { MyPlanRequest, MyRequest } from "../../api/types";
import { api, readData } from "../../lib/client";
import { formatDateTime, formatMoney, formatNumber } from "../../lib/format";
import { ACTIVATION_MS, OWN_REQUESTS } from "./quote-states";
import { Badge, type Look } from "../../ui/badge";
import { Section } from "../../ui/section";
import { StaleNote } from "../../ui/stale-note";
import { ErrorState } from "../../ui/states";
import { Time } from "../../ui/values";

const FAILED = "Failed to load your requests";

interface RequestRowProps {
  title: string;
  badge: Look;
  children: ReactNode;
}

function RequestRow({ title, badge, children }: RequestRowProps): ReactNode {
  return (
    <li className="list-row">
      <div className="grow stack-1">
        <p className="row">
          <strong className="nums">{title}</strong>
          <Badge look={badge} />
        </p>
        <p className="muted small break">{children}</p>
      </div>
    </li>
  );
}

function OpenRequest({ request }: { request: MyRequest }): ReactNode {
  const open = request.status === "PENDING";
  return (
    <RequestRow
      title={`${formatNumber(request.credits_needed)} credits`}
      badge={
        open ? ["Waiting for our quote", "plain", Hourglass] : ["Closed without a quote", "plain", CircleX]
      }
    >
      Requested <Time at={request.created_at} />
      {request.company_name ? ` · ${request.company_name}` : ""}
    </RequestRow>
  );
}

function ChosenPlan({ request }: { request: MyPlanRequest }): ReactNode {
  const { quote_id, credits_needed, selected_plan, status, amount_paid, auto_approval_at, created_at } =
    request;
  const paid = status === "payment_received";
  return (
    <RequestRow
      title={`${formatNumber(credits_needed)} credits, ${selected_plan}`}
      badge={paid ? ["Payment received", "plain", Clock] : ["Payment open", "plain", Hourglass]}
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
    </RequestRow>
  );
}

/** What the customer asked for or chose, and is no quote or active plan yet; nothing while there is nothing. */
export function OwnRequests(): ReactNode {
  const mine = useQuery({
    queryKey: OWN_REQUESTS,
    queryFn: () => readData(api.GET("/api/quotes/my-requests")),
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
    <Section id="own-requests-heading" title="Your requests" card>
      <StaleNote query={mine} fallback={FAILED} />
      <ul className="list-rows">
        {chosen.map((request) => (
          <ChosenPlan key={`plan-${request.id}`} request={request} />
        ))}
        {requests.map((request) => (
          <OpenRequest key={request.id} request={request} />
        ))}
      </ul>
    </Section>
  );
}
