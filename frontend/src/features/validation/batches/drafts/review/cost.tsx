import type { ReactNode } from "react";

import type { Draft } from "../../../../../api/types";
import { formatCount, formatNumber } from "../../../../../lib/format";
import { Button, ButtonLink } from "../../../../../ui/button";
import { UpgradeLink } from "../../../../../ui/allowed";
import { Term } from "../../../../../ui/term";
import { BasicChecksNotice } from "../../basic-checks-notice";
import { exceedsFullChecks, lacksCredits } from "../decisions";
import { Counted } from "./counted";
import type { ReviewPartProps } from "./repairs";

interface CostProps extends ReviewPartProps {
  /** The way to a free sample. */
  sample: ReactNode;
}

/** The most that a list can cost, and what may be done where the credits do not suffice for it. */
export function CreditCost({ children, ...props }: CostProps & { children: ReactNode }): ReactNode {
  const { draft, counting } = props;
  const { cost, credits } = draft;
  const lacks = lacksCredits(draft);
  return (
    <div className="stack-2">
      <h3>Cost</h3>
      <p className="draft-cost nums" aria-live="polite" aria-busy={counting}>
        <Counted busy={counting}>
          <strong>{cost === 0 ? "No credits" : `At most ${formatCount(cost, "credit")}`}</strong>
          {lacks ? null : (
            <span className="muted">
              You have {formatNumber(credits)}; {formatNumber(credits - cost)} are left to spend meanwhile.
            </span>
          )}
        </Counted>
      </p>
      {lacks && !counting ? <LackOfCredits {...props} /> : null}
      {children}
      <p className="hint">
        One credit for each different address is <Term name="held_credits">held</Term> from the start, and
        what is not used comes back at the end. {draft.unknown_costs} Duplicates, blank rows and impossible
        syntax cost nothing.
      </p>
      <ExcludedChecks {...props} />
    </div>
  );
}

/** What the credits suffice for, and the ways to more. */
function LackOfCredits({ draft, counting, sample, onChoose }: CostProps): ReactNode {
  const { cost, credits } = draft;
  return (
    <div className="notice notice-danger" role="alert">
      <p className="nums">
        You need {formatNumber(cost)} and have {formatNumber(credits)}.
      </p>
      <div className="row">
        {credits > 0 ? (
          <Button busy={counting} onClick={() => onChoose({ max_credits: credits })}>
            Check the first {formatNumber(credits)}
          </Button>
        ) : null}
        <ButtonLink href="/dashboard?tab=pricing" needs="pay">
          Buy credits
        </ButtonLink>
        {sample}
      </div>
    </div>
  );
}

/** What the plan leaves out (VAL-021), or what the full checks left are for; what is charged stands above. */
function ExcludedChecks({ draft, counting, onChoose }: ReviewPartProps): ReactNode {
  const { checks, welcome_credits: left, max_credits, left_out } = draft;
  if (max_credits !== null && left_out > 0) {
    return <ShortenedNotice draft={draft} busy={counting} onWhole={() => onChoose({ max_credits: null })} />;
  }
  if (checks === "full") return null;
  // Whoever has no other credits is offered the same above.
  const isOffered = lacksCredits(draft) && left >= draft.credits;
  return (
    <>
      {exceedsFullChecks(draft) && !isOffered ? (
        <BasicChecksNotice
          left={left}
          addresses={draft.unique}
          busy={counting}
          onFirst={() => onChoose({ max_credits: left })}
        />
      ) : null}
      <p className="notice">
        <span>
          Mailbox, catch-all and disposable checks are not included in your plan. <UpgradeLink />
        </span>
      </p>
    </>
  );
}

interface ShortenedProps {
  draft: Draft;
  busy: boolean;
  onWhole: () => void;
}

/** A list of which only the first addresses are checked, and the way back. */
function ShortenedNotice({ draft, busy, onWhole }: ShortenedProps): ReactNode {
  return (
    <div className="notice" role="status">
      <p className="nums">
        Only the first addresses are checked: those that {formatCount(draft.max_credits ?? 0, "credit")} pay
        for. {formatCount(draft.left_out, "address comes", "addresses come")} back as not checked, and can be
        checked later.
      </p>
      <Button busy={busy} onClick={onWhole}>
        Check the whole list
      </Button>
    </div>
  );
}
