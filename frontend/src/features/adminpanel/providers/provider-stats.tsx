import { useState, type ReactNode } from "react";

import type { ProviderFigures, ProviderStats } from "../../../api/types";
import { useAdminQuery } from "../use-admin-query";
import { api, readData } from "../../../lib/client";
import { formatNumber, NO_VALUE } from "../../../lib/format";
import { useUrlState } from "../../../lib/url-state";
import { Button } from "../../../ui/button";
import { numberColumn, actionsColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { SaveButton } from "../../../ui/data-table/save-button";
import { LiveView } from "../../../ui/live-view";
import { Section } from "../../../ui/section";
import { findOption, SegmentedControl } from "../../../ui/segmented-control";
import { formatMs, formatShare, StateBadge, type State } from "../measures";
import { ProviderDialog } from "./provider-dialog";
import { PROVIDER_STATS, useApiCredits } from "./queries";

const RANGES = { "7d": "7 Days", "30d": "30 Days", "90d": "90 Days" } as const;

type ProviderState = ProviderFigures["breaker"] | "off" | "unconnected";

const STATES: Record<ProviderState, State> = {
  closed: ["good", "Switched on"],
  half_open: ["waiting", "On probation"],
  open: ["fault", "Paused"],
  off: ["unknown", "Switched off"],
  unconnected: ["unknown", "Not connected"],
};

interface Provider extends ProviderFigures {
  name: string;
  state: ProviderState;
}

const COLUMNS: readonly Column<Provider>[] = [
  textColumn("provider", "Provider", ({ name }) => <strong>{name}</strong>, {
    labelled: false,
    csv: ({ name }) => name,
  }),
  textColumn("state", "State", ({ state }) => <StateBadge state={STATES[state]} />, {
    csv: ({ state }) => STATES[state][1],
  }),
  numberColumn("questions", "Questions", ({ calls }) => calls),
  numberColumn("spent", "Paid for", ({ spent }) => spent),
  numberColumn("hits", "Hit rate", ({ hit_rate }) => hit_rate, {
    cell: ({ hit_rate }) => formatShare(hit_rate) ?? NO_VALUE,
  }),
  numberColumn("disagreement", "Disagreement", ({ disagreement_rate }) => disagreement_rate, {
    cell: ({ disagreement_rate }) => formatShare(disagreement_rate) ?? NO_VALUE,
  }),
  numberColumn("latency", "Latency", ({ latency_ms }) => latency_ms, {
    cell: ({ latency_ms }) => formatMs(latency_ms) ?? NO_VALUE,
  }),
  numberColumn("budget", "Daily budget", ({ daily_budget }) => daily_budget, {
    cell: ({ daily_budget }) => (daily_budget === null ? "Any number" : formatNumber(daily_budget)),
  }),
];

function buildColumns(onChange: (name: string) => void): readonly Column<Provider>[] {
  const cell = ({ name }: Provider) => (
    <div className="system-actions">
      <Button aria-label={`Change ${name}`} onClick={() => onChange(name)}>
        Change
      </Button>
    </div>
  );
  return [...COLUMNS, actionsColumn(cell)];
}

function ProviderTable({ providers, range }: ProviderStats & { range: string }): ReactNode {
  const [changed, setChanged] = useState<string | null>(null);
  const connections = useApiCredits().data?.providers ?? {};
  const stateOf = (name: string, { enabled, breaker }: ProviderFigures): ProviderState => {
    if (!enabled) return "off";
    return connections[name]?.status === "not_configured" ? "unconnected" : breaker;
  };
  const rows = Object.entries(providers).map(([name, figures]) => ({
    ...figures,
    name,
    state: stateOf(name, figures),
  }));
  const columns = buildColumns(setChanged);
  const figures = changed === null ? undefined : providers[changed];
  return (
    <>
      <DataTable
        label="Provider statistics"
        phone="pairs"
        className="table-snug"
        columns={columns}
        rows={rows}
        getKey={({ name }) => name}
        foot={<SaveButton name={`providers-${range}`} columns={columns} rows={rows} />}
      />
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
    <Section
      id="provider-stats-heading"
      title="Provider statistics"
      aside={
        <SegmentedControl
          label="Range"
          options={RANGES}
          value={range}
          onChange={(chosen) => update({ provider_range: chosen })}
        />
      }
    >
      <LiveView query={found} fallback="Failed to load provider statistics" rows={3}>
        {(stats) => <ProviderTable {...stats} range={range} />}
      </LiveView>
    </Section>
  );
}
