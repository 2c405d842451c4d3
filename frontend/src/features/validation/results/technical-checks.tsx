import type { ReactNode } from "react";

import type { Evidence, Finding } from "../../../api/types";
import { hasGatedChecks, listTechnicalChecks } from "./result-labels";
import { Badge, type Look } from "../../../ui/badge";
import { GLYPH_SHAPES } from "../../../ui/glyph";
import { UpgradeLink } from "../../../ui/allowed";
import { Term } from "../../../ui/term";

type Outcome = Evidence["outcome"];

const LOOKS: Record<Outcome, Look> = {
  pass: ["Passed", "valid", GLYPH_SHAPES.valid],
  fail: ["Failed", "invalid", GLYPH_SHAPES.invalid],
  warn: ["Warning", "risky", GLYPH_SHAPES.risky],
  unknown: ["Undecided", "unknown", GLYPH_SHAPES.unknown],
  skipped: ["Not checked", "unknown", GLYPH_SHAPES.unknown],
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
        {listTechnicalChecks(row).map(({ term, name, state, words }) => {
          const [, tone, Icon] = LOOKS[state];
          return (
            <div key={name} className={`check tone-${tone}`}>
              <Icon size={16} aria-hidden />
              <dt>
                <Term name={term}>{name}</Term>
              </dt>
              <dd>{words}</dd>
            </div>
          );
        })}
      </dl>
      {hasGatedChecks(row) ? (
        <p className="small">
          <UpgradeLink /> to include these checks.
        </p>
      ) : null}
    </>
  );
}
