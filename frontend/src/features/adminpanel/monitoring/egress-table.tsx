import { Waypoints } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { EgressAddress } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { EmptyState } from "../../../ui/states";
import { TableHead } from "../../../ui/table";
import { Time } from "../../../ui/values";
import { StateBadge, type Tone } from "../measures";
import { ACTION_WORDS, EgressDialog, type EgressAction } from "./egress-dialog";

const STATES: Record<EgressAddress["state"], readonly [Tone, string]> = {
  active: ["valid", "Active"],
  resting: ["risky", "Resting"],
  draining: ["catch_all", "Draining"],
  removed: ["unknown", "Removed"],
};
const ACTIONS: Record<EgressAddress["state"], readonly EgressAction[]> = {
  active: ["rest", "drain", "remove"],
  resting: ["resume", "drain", "remove"],
  draining: ["resume", "remove"],
  removed: ["resume"],
};
const COLUMNS = [
  ["Egress address", ""],
  ["State", ""],
  ["Warm-up", ""],
  ["Last minute", "number"],
  ["Actions", "number"],
] as const;

function EgressState({ egress }: { egress: EgressAddress }): ReactNode {
  const [tone, word] = egress.configured ? STATES[egress.state] : STATES.removed;
  return (
    <>
      <StateBadge tone={tone}>{word}</StateBadge>
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

function EgressRow({ egress }: { egress: EgressAddress }): ReactNode {
  const [asked, setAsked] = useState<EgressAction | null>(null);
  const actions = egress.configured ? ACTIONS[egress.state] : [];
  return (
    <tr aria-label={egress.name}>
      <td className="system-cell-wide break">
        <strong>{egress.name}</strong>
        <div className="muted small">{egress.address}</div>
        <div className="muted small">HELO {egress.helo}</div>
      </td>
      <td className="system-cell-wide" data-label="State">
        <EgressState egress={egress} />
      </td>
      <td className="small" data-label="Warm-up">
        {egress.warms_since ? (
          <>
            Since <Time at={egress.warms_since} />
          </>
        ) : (
          "Warm"
        )}
      </td>
      <td className="number" data-label="Last minute">
        {formatNumber(egress.probes_minute)}
      </td>
      <td className="system-cell-actions">
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
      </td>
    </tr>
  );
}

/** Our egress addresses, what staff decided about each, and the buttons to decide otherwise. */
export function EgressTable({ egress }: { egress: readonly EgressAddress[] }): ReactNode {
  if (egress.length === 0) {
    return (
      <EmptyState icon={Waypoints} title="No egress address yet">
        The entries of VERIFIER_ROUTES appear here.
      </EmptyState>
    );
  }
  return (
    <div className="table-frame">
      <table className="table table-cards system-table" aria-label="Egress addresses">
        <TableHead columns={COLUMNS} />
        <tbody>
          {egress.map((one) => (
            <EgressRow key={one.id} egress={one} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
