import type { ReactNode } from "react";

import type { Result } from "../../../api/types";
import { SixChecks } from "./checks";
import { Technical } from "./evidence";
import { Confidence, Facts, Remarks, validationFacts, Verdict } from "./verdict";

interface ReportProps {
  result: Result;
  /** What can be done about the verdict. */
  children?: ReactNode;
}

/** The detailed report on one address; the technical section is folded. */
export function Report({ result, children }: ReportProps): ReactNode {
  const { evidence, transcript } = result;
  const conversation = transcript.length > 0 ? " and the conversation" : "";
  return (
    <div className="stack">
      <Verdict row={result} />
      {children}
      <Remarks result={result} />
      <Confidence row={result} />
      <SixChecks row={result} />
      <Facts facts={validationFacts(result)} />
      <details className="technical">
        <summary>
          Technical details: {evidence.length} checks{conversation}
        </summary>
        <Technical result={result} />
      </details>
    </div>
  );
}
