import type { ReactNode } from "react";

import type { Result } from "../../../api/types";
import { TechnicalChecks } from "./technical-checks";
import { describeChecks, TechnicalDetails } from "./evidence";
import { Testimony } from "./testimony";
import { Confidence, Remarks, listFacts, Verdict } from "./verdict";
import { Facts } from "../../../ui/facts";

interface ResultReportProps {
  result: Result;
  /** What can be done about the verdict. */
  children?: ReactNode;
}

/** The detailed report on one address; the technical section is folded. */
export function ResultReport({ result, children }: ResultReportProps): ReactNode {
  return (
    <div className="stack">
      <Verdict row={result} />
      {children}
      <Testimony result={result} fresh />
      <Remarks result={result} />
      <Confidence row={result} />
      <TechnicalChecks row={result} />
      <Facts facts={listFacts(result)} />
      <details className="technical">
        <summary>Technical details: {describeChecks(result.evidence)}</summary>
        <TechnicalDetails result={result} />
      </details>
    </div>
  );
}
