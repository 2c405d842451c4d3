import { useState, type ReactNode } from "react";

import type { EgressAddress } from "../../../api/types";
import { Button } from "../../../ui/button";
import { numberColumn, actionsColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { Time } from "../../../ui/values";
import { StateBadge, type State } from "../measures";
import { ACTION_WORDS, EgressDialog, type EgressAction } from "./egress-dialog";

const STATES: Record<EgressAddress["state"], State> = {
  active: ["good", "Active"],
  resting: ["waiting", "Resting"],
  draining: ["waiting", "Draining"],
  removed: ["unknown", "Removed"],
};
const ACTIONS: Record<EgressAddress["state"], readonly EgressAction[]> = {
  active: ["rest", "drain", "remove"],
  resting: ["resume", "drain", "remove"],
  draining: ["resume", "remove"],
  removed: ["resume"],
};

function EgressState({ egress }: { egress: EgressAddress }): ReactNode {
  return (
    <>
      <StateBadge state={STATES[egress.configured ? egress.state : "removed"]} />
      {egress.configured ? null : <div className="muted small">No longer among VERIFIER_ROUTES</div>}
      {egress.changed_at && egress.note ? (
        <div className="muted small break">
          {egress.note} · <Time at={egress.changed_at} />
        </div>
      ) : null}
      {egress.last ? <div className="muted small">The last one that works</div> : null}
    </>
  );
}

function EgressActions({ egress }: { egress: EgressAddress }): ReactNode {
  const [asked, setAsked] = useState<EgressAction | null>(null);
  const actions = egress.configured ? ACTIONS[egress.state] : [];
  return (
    <>
      <div className="system-actions">
        {actions.map((action) => (
          <Button
            key={action}
            kind={action === "remove" ? "quiet" : "plain"}
            aria-label={`${ACTION_WORDS[action]} ${egress.name}`}
            onClick={() => setAsked(action)}
          >
            {ACTION_WORDS[action]}
          </Button>
        ))}
      </div>
      {asked ? <EgressDialog egress={egress} action={asked} onClose={() => setAsked(null)} /> : null}
    </>
  );
}

function formatWarmUp({ warms_since }: EgressAddress): ReactNode {
  if (!warms_since) return "Warm";
  return (
    <>
      Since <Time at={warms_since} />
    </>
  );
}

const COLUMNS: readonly Column<EgressAddress>[] = [
  textColumn("address", "Egress address", ({ name }) => <strong>{name}</strong>, {
    className: "system-cell-wide break",
    labelled: false,
    note: ({ address, helo }) => (
      <>
        {address}
        <div>HELO {helo}</div>
      </>
    ),
  }),
  textColumn("state", "State", (egress) => <EgressState egress={egress} />, {
    className: "system-cell-wide",
  }),
  textColumn("warm_up", "Warm-up", formatWarmUp, { className: "small" }),
  numberColumn("minute", "Last minute", ({ probes_minute }) => probes_minute),
  actionsColumn((egress) => <EgressActions egress={egress} />),
];

/** Our egress addresses, what staff decided about each, and the buttons to decide otherwise. */
export function EgressTable({ egress }: { egress: readonly EgressAddress[] }): ReactNode {
  return (
    <DataTable
      label="Egress addresses"
      phone="pairs"
      columns={COLUMNS}
      rows={egress}
      empty={{
        title: "No egress address yet",
        text: "The entries of VERIFIER_ROUTES appear here.",
      }}
      getKey={({ id }) => id}
      getRowLabel={({ name }) => name}
    />
  );
}
