import type { ReactNode } from "react";

import type { MailRoute } from "../../../api/types";
import {
  formatBothTimes,
  formatNumber,
  formatPercent,
  NO_VALUE,
  formatCount,
  calculateShare,
} from "../../../lib/format";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { NothingHere } from "../../../ui/data-table/list-rows";
import { Meter } from "../../../ui/progress";
import { Time } from "../../../ui/values";
import { StateBadge, type State } from "../measures";
import { EgressTable } from "./egress-table";
import { LiveCard } from "./live-card";
import { useRoutes } from "./queries";

const STATES: Record<MailRoute["state"], State> = {
  working: ["good", "Working"],
  backing_off: ["waiting", "Backing off"],
  blocked: ["fault", "Blocked"],
};

function getRouteName({ operator_name, route }: MailRoute): string {
  return `${operator_name} by ${route}`;
}

function RouteState({ route }: { route: MailRoute }): ReactNode {
  return (
    <>
      <StateBadge state={STATES[route.state]} />
      {route.next_attempt_at ? (
        <div className="muted small">
          Rests until{" "}
          <time dateTime={route.next_attempt_at} title={formatBothTimes(route.next_attempt_at)}>
            {new Date(route.next_attempt_at).toLocaleTimeString("en-GB")}
          </time>
        </div>
      ) : null}
      {route.warm_up ? (
        <div className="muted small">
          Warm-up: day {route.warm_up.day} of {route.warm_up.days}, {formatPercent(route.warm_up.share)}
        </div>
      ) : null}
    </>
  );
}

/** What was asked in the last minute, against what may be; only each host itself limits those without a profile. */
function RouteRate({ route }: { route: MailRoute }): ReactNode {
  const { probes_minute, rate_limit, sessions_limit } = route;
  return (
    <>
      <div className="nums">
        {formatNumber(probes_minute)}
        {rate_limit === null ? null : ` of ${formatNumber(rate_limit)}`}
      </div>
      {rate_limit === null ? null : (
        <Meter
          value={Math.min(1, calculateShare(probes_minute, rate_limit))}
          label={`Rate used, ${getRouteName(route)}`}
        />
      )}
      <div className="muted small">
        {sessions_limit === null ? "Sessions by host" : `Up to ${formatCount(sessions_limit, "session")}`}
      </div>
    </>
  );
}

function RouteCounts({ route }: { route: MailRoute }): ReactNode {
  return (
    <dl className="route-counts nums">
      <dt className="muted small">Hour</dt>
      <dd>
        {formatNumber(route.probes_hour)} / {formatNumber(route.refusals_hour)}
      </dd>
      <dt className="muted small">Day</dt>
      <dd>
        {formatNumber(route.probes_day)} / {formatNumber(route.refusals_day)}
      </dd>
    </dl>
  );
}

const COLUMNS: readonly Column<MailRoute>[] = [
  textColumn(
    "operator",
    "Operator and egress address",
    ({ operator_name }) => <strong>{operator_name}</strong>,
    { className: "system-cell-wide", labelled: false, note: ({ route }) => route },
  ),
  textColumn("state", "State", (route) => <RouteState route={route} />, {
    className: "system-cell-wide route-state",
  }),
  textColumn("minute", "Last minute", (route) => <RouteRate route={route} />, { className: "route-rate" }),
  textColumn("counts", "Answered / refused", (route) => <RouteCounts route={route} />),
  textColumn("refusal", "Last refusal", ({ last_refusal }) => last_refusal ?? NO_VALUE, {
    className: "small break system-cell-wide",
    note: ({ last_refusal, refused_at }) => (last_refusal && refused_at ? <Time at={refused_at} /> : null),
  }),
];

const NOTHING_ASKED = {
  title: "No data yet",
  text: "No mail operator was asked in the last day.",
};

function RouteTable({ routes }: { routes: readonly MailRoute[] }): ReactNode {
  if (routes.length === 0) return <NothingHere nothing={NOTHING_ASKED} />;
  return (
    <>
      <DataTable
        label="Operators"
        phone="pairs"
        columns={COLUMNS}
        rows={routes}
        getKey={({ route, operator }) => `${route} ${operator}`}
        getRowLabel={getRouteName}
      />
      <p className="muted small">
        Last minute: recipients that were answered, of those that the operator&apos;s limit allows today.
      </p>
    </>
  );
}

/** Our egress addresses, and whether mail operators answer on each. */
export function RoutesCard(): ReactNode {
  const query = useRoutes();
  return (
    <LiveCard
      id="routes-heading"
      title="Mail routes"
      query={query}
      fallback="Failed to load mail routes"
      rows={5}
    >
      {({ egress, routes }) => (
        <>
          <EgressTable egress={egress} />
          <RouteTable routes={routes} />
        </>
      )}
    </LiveCard>
  );
}
