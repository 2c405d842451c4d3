import type { ReactNode } from "react";

import type { Evidence, Result } from "../../../api/types";
import { NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { DataTable } from "../../../ui/data-table/data-table";
import { OutcomeMark } from "./technical-checks";

function formatMilliseconds(value: number | null): string {
  if (value === null) return NO_VALUE;
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

const COLUMNS: readonly Column<Evidence>[] = [
  textColumn("check", "Check", ({ check }) => toSentenceCase(check)),
  textColumn("outcome", "Outcome", ({ outcome }) => <OutcomeMark outcome={outcome} />),
  textColumn("found", "Found", ({ detail }) => detail || NO_VALUE, { className: "break" }),
  textColumn("source", "Source", ({ source }) => source || NO_VALUE, { className: "muted small break" }),
  textColumn("time", "Time", ({ time_ms }) => formatMilliseconds(time_ms), {
    align: "number",
    className: "muted",
  }),
];

/** Every named check with its outcome, what was found, where it comes from and how long it took. */
export function EvidenceTable({ evidence }: { evidence: Evidence[] }): ReactNode {
  return (
    <DataTable
      label="Checks"
      className="evidence"
      columns={COLUMNS}
      rows={evidence}
      getKey={({ check, source }) => `${check} ${source}`}
    />
  );
}

/** What was said to the mail server and what it answered. */
export function Transcript({ lines }: { lines: string[] }): ReactNode {
  if (lines.length === 0)
    return <p className="muted">No mail server was asked, so there is no conversation.</p>;
  return (
    <section className="transcript mono" aria-label="Conversation with the mail server">
      {lines.map((line, index) => (
        <div key={index} className={line.startsWith("C:") ? "from-client" : undefined}>
          {line}
        </div>
      ))}
    </section>
  );
}

type EvidenceResult = Pick<Result, "evidence" | "transcript" | "mx_records" | "domain_valid">;

export function TechnicalDetails({ result }: { result: EvidenceResult }): ReactNode {
  const { evidence, transcript, mx_records, domain_valid } = result;
  const none =
    domain_valid === null ? "Not known: the domain could not be looked up." : "The domain names none.";
  return (
    <div className="stack-4">
      <EvidenceTable evidence={evidence} />
      <h3>Mail servers</h3>
      {mx_records.length > 0 ? (
        <p className="mono break">{mx_records.join(", ")}</p>
      ) : (
        <p className="muted">{none}</p>
      )}
      <h3>Conversation with the mail server</h3>
      <Transcript lines={transcript} />
    </div>
  );
}
