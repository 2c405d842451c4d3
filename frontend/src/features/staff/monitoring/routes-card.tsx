import { Route } from "lucide-react";
import type { ReactNode } from "react";

import type { MailRoute } from "../../../api/types";
import { formatNumber, NO_VALUE } from "../../../lib/format";
import { sentenceCase } from "../../../lib/words";
import { Empty } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { StateBadge, type Tone } from "../live";
import { LiveCard } from "./live-card";
import { useRoutes } from "./queries";

const STATES: Record<MailRoute["state"], readonly [Tone, string]> = {
  working: ["valid", "Working"],
  backing_off: ["risky", "Backing off"],
  blocked: ["invalid", "Blocked"],
};
const COLUMNS = [
  ["Route and operator", ""],
  ["State", ""],
  ["Last hour", "number"],
  ["Last day", "number"],
  ["Last refusal", ""],
  ["Next attempt", ""],
] as const;

function Row({ route }: { route: MailRoute }): ReactNode {
  const [tone, word] = STATES[route.state];
  return (
    <tr>
      <td>
        <strong>{sentenceCase(route.operator)}</strong>
        <div className="muted small">{route.route}</div>
      </td>
      <td data-label="State">
        <StateBadge tone={tone}>{word}</StateBadge>
      </td>
      <td className="number" data-label="Last hour">
        {formatNumber(route.probes_hour)} / {formatNumber(route.refusals_hour)}
      </td>
      <td className="number" data-label="Last day">
        {formatNumber(route.probes_day)} / {formatNumber(route.refusals_day)}
      </td>
      <td className="small break system-cell-wide" data-label="Last refusal">
        {route.last_refusal ?? NO_VALUE}
      </td>
      <td className="small" data-label="Next attempt">
        {route.next_attempt_at ? <Time at={route.next_attempt_at} /> : "At once"}
      </td>
    </tr>
  );
}

function Table({ routes }: { routes: readonly MailRoute[] }): ReactNode {
  if (routes.length === 0) {
    return (
      <Empty icon={Route} title="No data yet">
        No mail operator was asked in the last day.
      </Empty>
    );
  }
  return (
    <>
      <div className="table-frame">
        <table className="table table-cards system-table">
          <TableHead columns={COLUMNS} />
          <tbody>
            {routes.map((route) => (
              <Row key={`${route.route} ${route.operator}`} route={route} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted small">Figures are answered recipients / refusals.</p>
    </>
  );
}

/** Whether mail operators answer, for each way out. */
export function RoutesCard(): ReactNode {
  const query = useRoutes();
  return (
    <LiveCard
      id="routes-heading"
      title="Mail routes"
      query={query}
      fallback="Failed to load mail routes"
      rows={3}
    >
      {(routes) => <Table routes={routes} />}
    </LiveCard>
  );
}
