import { useState, type ReactNode } from "react";

import type { ProviderFigures, ProviderStats } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { LiveView } from "../../../ui/live-view";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { TableHead } from "../../../ui/table";
import { formatMs, formatShare, StateBadge, type Tone } from "../measures";
import { ProviderDialog } from "./provider-dialog";
import { PROVIDER_STATS, useApiCredits } from "./queries";

const RANGES = { "7d": "7 Days", "30d": "30 Days", "90d": "90 Days" } as const;
const COLUMNS = [
  ["Provider", ""],
  ["State", ""],
  ["Questions", "number"],
  ["Paid for", "number"],
  ["Hit rate", "number"],
  ["Disagreement", "number"],
  ["Latency", "number"],
  ["Daily budget", "number"],
  ["Actions", "number"],
] as const;

type State = ProviderFigures["breaker"] | "off" | "unconnected";

const STATES: Record<State, readonly [Tone, string]> = {
  closed: ["valid", "Switched on"],
  half_open: ["risky", "On probation"],
  open: ["invalid", "Paused"],
  off: ["unknown", "Switched off"],
  unconnected: ["unknown", "Not connected"],
};

interface ProviderRowProps {
  name: string;
  figures: ProviderFigures;
  state: State;
  onChange: () => void;
}

function ProviderRow({ name, figures, state, onChange }: ProviderRowProps): ReactNode {
  const [tone, word] = STATES[state];
  const budget = figures.daily_budget === null ? "Any number" : formatNumber(figures.daily_budget);
  return (
    <tr>
      <td>
        <strong>{name}</strong>
      </td>
      <td data-label="State">
        <StateBadge tone={tone}>{word}</StateBadge>
      </td>
      <td className="number" data-label="Questions">
        {formatNumber(figures.calls)}
      </td>
      <td className="number" data-label="Paid for">
        {formatNumber(figures.spent)}
      </td>
      <td className="number" data-label="Hit rate">
        {formatShare(figures.hit_rate) ?? NO_VALUE}
      </td>
      <td className="number" data-label="Disagreement">
        {formatShare(figures.disagreement_rate) ?? NO_VALUE}
      </td>
      <td className="number" data-label="Latency">
        {formatMs(figures.latency_ms) ?? NO_VALUE}
      </td>
      <td className="number" data-label="Daily budget">
        {budget}
      </td>
      <td className="system-cell-actions">
        <div className="system-actions">
          <Button aria-label={`Change ${name}`} onClick={onChange}>
            Change
          </Button>
        </div>
      </td>
    </tr>
  );
}

function ProviderTable({ providers }: ProviderStats): ReactNode {
  const [changed, setChanged] = useState<string | null>(null);
  const connections = useApiCredits().data?.providers ?? {};
  const stateOf = (name: string, { enabled, breaker }: ProviderFigures): State => {
    if (!enabled) return "off";
    return connections[name]?.status === "not_configured" ? "unconnected" : breaker;
  };
  const figures = changed === null ? undefined : providers[changed];
  return (
    <>
      <div className="table-frame">
        <table className="table table-cards system-table">
          <TableHead columns={COLUMNS} />
          <tbody>
            {Object.entries(providers).map(([name, figures]) => (
              <ProviderRow
                key={name}
                name={name}
                figures={figures}
                state={stateOf(name, figures)}
                onChange={() => setChanged(name)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted small">
        Paid for: questions that were charged, or may have been. Hit rate: answers that said what the address
        is. Disagreement: of these, those that another source contradicts. Daily budget: questions a day.
        While a provider is paused, switched off or over its budget, our own answers stand and lists go on.
      </p>
      {changed === null || figures === undefined ? null : (
        <ProviderDialog name={changed} figures={figures} onClose={() => setChanged(null)} />
      )}
    </>
  );
}

/** What outside providers cost and how good they are, with switch and budget. */
export function ProviderStatistics(): ReactNode {
  const [url, update] = useUrlState();
  const range = findOption(RANGES, url.get("provider_range"), "30d");
  const found = useAdminQuery([...PROVIDER_STATS, range], () =>
    readData(api.GET("/api/admin/api-credits/stats", { params: { query: { range } } })),
  );
  return (
    <section className="stack-4" aria-labelledby="provider-stats-heading">
      <div className="report-head">
        <h2 id="provider-stats-heading">Provider statistics</h2>
        <SegmentedControl
          label="Range"
          options={RANGES}
          value={range}
          onChange={(chosen) => update({ provider_range: chosen })}
        />
      </div>
      <LiveView query={found} fallback="Failed to load provider statistics" rows={3}>
        {({ providers }) => <ProviderTable providers={providers} />}
      </LiveView>
    </section>
  );
}
