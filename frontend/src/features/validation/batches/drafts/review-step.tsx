import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Draft, DraftChoices } from "../../../../api/types";
import { loadRetention } from "./calls";
import { formatNumber, formatCount } from "../../../../lib/format";
import { KEPT_DAYS_OPTIONS, parseKeptDays } from "../../calls";
import { Button } from "../../../../ui/button";
import { BasicChecksNotice } from "../basic-checks-notice";
import { InHouseChoice } from "../in-house-choice";
import { TimeNeeded } from "./time-estimate";
import { SelectField } from "../../../../ui/select";
import { UpgradeLink } from "../../../../ui/allowed";

interface StepProps {
  draft: Draft;
  busy: boolean;
  onChoose: (choices: DraftChoices) => void;
}

export function lacksCredits({ cost, credits }: Draft): boolean {
  return cost > credits;
}

function Figures({ draft }: { draft: Draft }): ReactNode {
  const figures = [
    ["Rows", draft.rows],
    ["Unique addresses", draft.unique],
    ["Duplicates", draft.duplicates],
    ["Blank", draft.blank],
    ["Impossible syntax", draft.bad_syntax],
  ] as const;
  return (
    <dl className="counts">
      {figures.map(([name, value]) => (
        <div key={name} className="count tone-unknown">
          <dt>{name}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function CreditCost({ draft, busy, onChoose }: StepProps): ReactNode {
  const { cost, credits } = draft;
  return (
    <div className="stack-2">
      <h3>Cost</h3>
      <p className="draft-cost nums">
        <strong>{cost === 0 ? "No credits" : `At most ${formatCount(cost, "credit")}`}</strong>
        {lacksCredits(draft) ? null : (
          <span className="muted">
            You have {formatNumber(credits)}; {formatNumber(credits - cost)} are left to spend meanwhile.
          </span>
        )}
      </p>
      {lacksCredits(draft) ? (
        <p className="notice notice-danger" role="alert">
          <span>
            Insufficient credits. You need {cost} but have {credits}. <UpgradeLink />
          </span>
        </p>
      ) : null}
      <p className="hint">
        One credit for each different address is held from the start, and what is not used comes back at the
        end. {draft.unknown_costs} Duplicates, blank rows and impossible syntax cost nothing.
      </p>
      <ExcludedChecks draft={draft} busy={busy} onChoose={onChoose} />
    </div>
  );
}

/** What the plan leaves out (VAL-021), or what the full checks left are for; what is charged stands above. */
function ExcludedChecks({ draft, busy, onChoose }: StepProps): ReactNode {
  const { checks, welcome_credits: left, max_credits: cutTo } = draft;
  if (cutTo !== null)
    return <ShortenedNotice credits={cutTo} busy={busy} onWhole={() => onChoose({ max_credits: null })} />;
  if (checks === "full") return null;
  return (
    <>
      {left > 0 ? (
        <BasicChecksNotice
          left={left}
          addresses={draft.unique}
          busy={busy}
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

/** A list of which only the first addresses are checked, and the way back. */
function ShortenedNotice(props: { credits: number; busy: boolean; onWhole: () => void }): ReactNode {
  return (
    <div className="notice" role="status">
      <p className="nums">
        Only the first addresses are checked: those that {formatCount(props.credits, "credit")} pay for.
      </p>
      <Button busy={props.busy} onClick={props.onWhole}>
        Check the whole list
      </Button>
    </div>
  );
}

/** What the settings of the account say; without them the words stay general. */
function useAccountRetention() {
  const settings = useQuery({ queryKey: ["retention"], queryFn: loadRetention });
  const { uploads_days = 0, results_days = 0, use_providers = true } = settings.data ?? {};
  const days = `Your settings: file ${formatCount(uploads_days, "day")}, results ${formatCount(results_days, "day")}. `;
  return {
    days: settings.data ? days : "",
    inHouse: !use_providers,
  };
}

function PrivacyFields({ draft, onChoose }: StepProps): ReactNode {
  const account = useAccountRetention();
  const { providers, use_providers, retention_days } = draft;
  const inHouse = use_providers === null ? account.inHouse : !use_providers;
  return (
    <div className="stack-4">
      <SelectField
        label="Keep file and results for"
        hint={`${account.days}After that both are deleted; the totals of the list stay in your history.`}
        value={KEPT_DAYS_OPTIONS.find(([days]) => days === String(retention_days))?.[0] ?? ""}
        options={[["", "As in my settings"], ...KEPT_DAYS_OPTIONS]}
        onChange={(days) => onChoose({ retention_days: days ? parseKeptDays(days) : null })}
      />
      <InHouseChoice
        providers={providers}
        checked={inHouse}
        onChange={(kept) => onChoose({ use_providers: !kept })}
      />
    </div>
  );
}

interface ReviewProps extends StepProps {
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  /** Who may see the list. */
  children: ReactNode;
}

/** The second step: what the list holds, the most it can cost, how long it takes, and how it is kept. */
export function ReviewStep({ agreed, onAgree, children, ...props }: ReviewProps): ReactNode {
  return (
    <div className="draft-review" aria-busy={props.busy}>
      <Figures draft={props.draft} />
      <CreditCost {...props} />
      <TimeNeeded estimate={props.draft.estimate} agreed={agreed} onAgree={onAgree} />
      <PrivacyFields {...props} />
      {children}
    </div>
  );
}
