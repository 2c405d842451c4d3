import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { Evidence, Finding } from "../../../api/types";
import { hasGatedChecks, listTechnicalChecks } from "./result-labels";
import { Badge, type Look } from "../../../ui/badge";

type Outcome = Evidence["outcome"];

const LOOKS: Record<Outcome, Look> = {
  pass: ["Passed", "valid", Check],
  fail: ["Failed", "invalid", Ban],
  warn: ["Warning", "risky", TriangleAlert],
  unknown: ["Undecided", "unknown", CircleHelp],
  skipped: ["Not checked", "unknown", CircleDashed],
};

/** The outcome of one check as shape, colour and word. */
export function OutcomeMark({ outcome }: { outcome: Outcome }): ReactNode {
  return <Badge look={LOOKS[outcome]} />;
}

/** The six technical checks; what was not checked says so. */
export function TechnicalChecks({ row }: { row: Finding }): ReactNode {
  return (
    <>
      <dl className="checks">
        {listTechnicalChecks(row).map(({ name, state, words }) => {
          const [, tone, Icon] = LOOKS[state];
          return (
            <div key={name} className={`check tone-${tone}`}>
              <Icon size={16} strokeWidth={2.5} aria-hidden />
              <dt>{name}</dt>
              <dd>{words}</dd>
            </div>
          );
        })}
      </dl>
      {hasGatedChecks(row) ? (
        <p className="small">
          <a href="/dashboard?tab=pricing">Upgrade</a> to include these checks.
        </p>
      ) : null}
    </>
  );
}
