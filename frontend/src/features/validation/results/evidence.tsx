import type { ReactNode } from "react";

import type { Evidence, Result } from "../../../api/types";
import { NO_VALUE } from "../../../lib/format";
import { toSentenceCase } from "../../../lib/labels";
import { TableHead } from "../../../ui/table";
import { OutcomeMark } from "./technical-checks";

function formatMilliseconds(value: number | null): string {
  if (value === null) return NO_VALUE;
  return value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`;
}

/** Every named check with its outcome, what was found, where it comes from and how long it took. */
export function EvidenceTable({ evidence }: { evidence: Evidence[] }): ReactNode {
  return (
    <div className="table-frame">
      <table className="table evidence">
        <TableHead columns={["Check", "Outcome", "Found", "Source", ["Time", "number"]]} />
        <tbody>
          {evidence.map(({ check, outcome, detail, source, time_ms }) => (
            <tr key={`${check} ${source}`}>
              <td>{toSentenceCase(check)}</td>
              <td>
                <OutcomeMark outcome={outcome} />
              </td>
              <td className="break">{detail || NO_VALUE}</td>
              <td className="muted small break">{source || NO_VALUE}</td>
              <td className="number muted">{formatMilliseconds(time_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
