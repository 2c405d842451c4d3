import { Suspense, useState, type ReactNode } from "react";

import type { Evidence, Result } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { getCategory } from "../../../lib/labels";
import { Dialogue } from "../../../ui/dialogue";
import { lazyPart } from "../../../ui/lazy-part";
import { SkeletonRows } from "../../../ui/states";
import { Term } from "../../../ui/term";
import { findDecidingReply, findHost } from "./replies";

const EvidenceTable = lazyPart(async () => (await import("./evidence-table")).EvidenceTable);

type EvidenceResult = Pick<
  Result,
  "evidence" | "transcript" | "mx_records" | "domain_valid" | "category" | "valid" | "disposable"
>;

/** What was said to the mail server and what it answered. */
export function Conversation({ result }: { result: EvidenceResult }): ReactNode {
  const { transcript } = result;
  if (transcript.length === 0) {
    return <p className="muted">No mail server was asked, so there is no conversation.</p>;
  }
  const deciding = findDecidingReply(result)?.words ?? null;
  return (
    <Dialogue
      transcript={transcript}
      host={findHost(result)}
      deciding={deciding}
      tone={getCategory(result)}
    />
  );
}

/** How all checks came out, in a few words. */
export function describeChecks(evidence: readonly Evidence[]): string {
  const count = (outcome: Evidence["outcome"]) =>
    evidence.filter((check) => check.outcome === outcome).length;
  const parts: [number, string][] = [
    [count("fail"), "failed"],
    [count("warn"), "with a remark"],
    [count("unknown"), "undecided"],
    [count("skipped"), "not made"],
  ];
  const others = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return [formatCount(count("pass"), "check passed", "checks passed"), ...others].join(", ");
}

/** The mail servers that the domain names, the first choice first. */
export function MailServers({ result: { mx_records, domain_valid } }: { result: EvidenceResult }): ReactNode {
  const none =
    domain_valid === null ? "Not known: the domain could not be looked up." : "The domain names none.";
  return (
    <div>
      <h3>
        <Term name="mail_host">Mail servers</Term>
      </h3>
      {mx_records.length > 0 ? (
        <p className="mono break">{mx_records.join(", ")}</p>
      ) : (
        <p className="muted">{none}</p>
      )}
    </div>
  );
}

/** Every check, what weighs most first; its code comes as it is shown. */
export function Checks({ evidence }: { evidence: Evidence[] }): ReactNode {
  return (
    <Suspense fallback={<SkeletonRows count={5} />}>
      <EvidenceTable evidence={evidence} />
    </Suspense>
  );
}

/** The checks behind a line that sums them up. */
export function FoldedChecks({ evidence }: { evidence: Evidence[] }): ReactNode {
  const [opened, setOpened] = useState(false);
  return (
    <details className="technical" onToggle={() => setOpened(true)}>
      <summary>{describeChecks(evidence)}</summary>
      {opened ? <Checks evidence={evidence} /> : null}
    </details>
  );
}

/** What a result rests on: the conversation, then every check. */
export function TechnicalDetails({ result }: { result: EvidenceResult }): ReactNode {
  return (
    <div className="stack-4">
      <Conversation result={result} />
      <MailServers result={result} />
      <Checks evidence={result.evidence} />
    </div>
  );
}
