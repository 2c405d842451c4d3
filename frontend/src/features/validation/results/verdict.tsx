import type { ReactNode } from "react";

import type { Finding, Result, ResultRow } from "../../../api/types";
import { formatConfidence, NO_VALUE } from "../../../lib/format";
import { getCategory, getSendLabel, toSentenceCase } from "../../../lib/labels";
import { formatChecks, formatFlag, formatReason } from "./result-labels";
import type { Fact } from "../../../ui/facts";
import { Meter } from "../../../ui/progress";
import { CategoryBadge, SendLabel } from "../../../ui/status-badge";
import { Term } from "../../../ui/term";
import { Time } from "../../../ui/values";

/** Confidence in safe delivery as bar and percent. */
export function Confidence({ row }: { row: Finding }): ReactNode {
  return (
    <div className="confidence">
      <div className="confidence-line">
        <span className="muted">
          <Term name="confidence">Confidence</Term> of safe delivery
        </span>
        <strong>{formatConfidence(row.confidence_score)}</strong>
      </div>
      <Meter value={row.confidence_score} label="Confidence of safe delivery" tone={getCategory(row)} />
    </div>
  );
}

type Repair = Pick<Finding, "email_checked" | "repaired_from">;

/** The text as it was typed, where the address was taken out of it. */
export function TypedText({ row }: { row: Repair }): ReactNode {
  return row.repaired_from ? <p className="muted small break">{row.repaired_from}</p> : null;
}

/** Which address was checked of what was typed. */
function CheckedAddress({ row }: { row: Repair }): ReactNode {
  if (!row.repaired_from) return null;
  return (
    <div>
      <p>
        We checked <strong className="break">{row.email_checked}</strong>
      </p>
      <TypedText row={row} />
    </div>
  );
}

/** The checked address, category, whether to send, and why in one plain sentence. */
export function Verdict({ row }: { row: Finding }): ReactNode {
  const category = getCategory(row);
  return (
    <div className="stack-2">
      <CheckedAddress row={row} />
      <div className="verdict">
        <Term name={category}>
          <CategoryBadge category={category} large />
        </Term>
        <SendLabel label={getSendLabel(row)} />
      </div>
      <p>{row.details.category_reason}</p>
    </div>
  );
}

/** What else was noticed about the address. */
export function Remarks({ result }: { result: Pick<Result, "did_you_mean" | "flags"> }): ReactNode {
  const { did_you_mean, flags } = result;
  if (!did_you_mean && flags.length === 0) return null;
  return (
    <div className="row">
      {did_you_mean ? (
        <span>
          Did you mean <strong className="break">{did_you_mean}</strong>?
        </span>
      ) : null}
      {flags.map((flag) => (
        <span key={flag} className="flag">
          {flag === "role" ? <Term name="role_address">{formatFlag(flag)}</Term> : formatFlag(flag)}
        </span>
      ))}
    </div>
  );
}

export function listFacts(row: ResultRow | Result): Fact[] {
  const facts: Fact[] = [
    ["Reason", formatReason(row.reason)],
    ["Domain", row.details.domain === "" ? NO_VALUE : row.details.domain],
    ["Free mail provider", row.free_email ? "Yes" : "No"],
    ["Checks", <Term name={`${row.checks}_checks`}>{formatChecks(row)}</Term>],
    ["Type", toSentenceCase(row.validation_type)],
    ["Validated", <Time at={row.validated_at} />],
  ];
  if ("credits_used" in row) facts.push(["Credits used", row.credits_used]);
  return facts;
}
