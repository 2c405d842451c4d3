import type { LucideIcon } from "lucide-react";
import Ban from "lucide-react/icons/ban";
import Check from "lucide-react/icons/check";
import CircleDashed from "lucide-react/icons/circle-dashed";
import CircleHelp from "lucide-react/icons/circle-question-mark";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

import type { Evidence, Finding } from "../../../api/types";
import { hasGatedChecks, listTechnicalChecks } from "./result-labels";

type Outcome = Evidence["outcome"];

const LOOKS: Record<Outcome, { Icon: LucideIcon; tone: string; word: string }> = {
  pass: { Icon: Check, tone: "valid", word: "Passed" },
  fail: { Icon: Ban, tone: "invalid", word: "Failed" },
  warn: { Icon: TriangleAlert, tone: "risky", word: "Warning" },
  unknown: { Icon: CircleHelp, tone: "unknown", word: "Undecided" },
  skipped: { Icon: CircleDashed, tone: "unknown", word: "Not checked" },
};

/** The outcome of one check as shape, colour and word. */
export function OutcomeMark({ outcome }: { outcome: Outcome }): ReactNode {
  const { Icon, tone, word } = LOOKS[outcome];
  return (
    <span className={`badge tone-${tone}`}>
      <Icon size={14} strokeWidth={2.5} aria-hidden />
      {word}
    </span>
  );
}

/** The six technical checks; what was not checked says so. */
export function TechnicalChecks({ row }: { row: Finding }): ReactNode {
  return (
    <>
      <dl className="checks">
        {listTechnicalChecks(row).map(({ name, state, words }) => {
          const { Icon, tone } = LOOKS[state];
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
