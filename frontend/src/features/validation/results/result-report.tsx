import type { ReactNode } from "react";

import type { Result } from "../../../api/types";
import { TechnicalChecks } from "./technical-checks";
import { TechnicalDetails } from "./evidence";
import { Confidence, Remarks, listFacts, Verdict } from "./verdict";
import { Facts } from "../../../ui/facts";

interface ResultReportProps {
  result: Result;
  /** What can be done about the verdict. */
  children?: ReactNode;
}

/** The detailed report on one address; the technical section is folded. */
export function ResultReport({ result, children }: ResultReportProps): ReactNode {
  const { evidence, transcript } = result;
  const conversation = transcript.length > 0 ? " and the conversation" : "";
  return (
    <div className="stack">
      <Verdict row={result} />
      {children}
      <Remarks result={result} />
      <Confidence row={result} />
      <TechnicalChecks row={result} />
      <Facts facts={listFacts(result)} />
      <details className="technical">
        <summary>
          Technical details: {evidence.length} checks{conversation}
        </summary>
        <TechnicalDetails result={result} />
      </details>
    </div>
  );
}
