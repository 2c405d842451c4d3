import { useState, type ReactNode } from "react";

import type { TeamRules } from "../../../api/types";
import { formatDateTime } from "../../../lib/format";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { SelectField } from "../../../ui/select";
import { saveRules } from "./calls";

const GRACES = [
  ["0", "At once"],
  ["3", "In 3 days"],
  ["7", "In 7 days"],
  ["14", "In 14 days"],
] as const;
type Grace = (typeof GRACES)[number][0];

function RequireDialog({ missing, onClose }: { missing: readonly string[]; onClose: () => void }): ReactNode {
  const [grace, setGrace] = useState<Grace>("7");
  return (
    <ConfirmDialog
      title="Require two-factor sign-in?"
      action="Require it"
      kind="primary"
      act={() => saveRules({ second_factor: true, grace_days: Number(grace) })}
      done={() => "Two-factor sign-in is required of all members."}
      failed="The rule could not be saved"
      says="here"
      onClose={onClose}
    >
      <p>
        {missing.length === 0
          ? "Every member has a second factor already."
          : "Members without a second factor get a mail with the date. From then on they reach only its set-up."}{" "}
        API keys go on.
      </p>
      <SelectField label="From when" value={grace} options={GRACES} onChange={setGrace} />
    </ConfirmDialog>
  );
}

function LiftDialog({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <ConfirmDialog
      title="No longer require two-factor sign-in?"
      action="Lift the rule"
      act={() => saveRules({ second_factor: false })}
      done={() => "Two-factor sign-in is no longer required."}
      failed="The rule could not be saved"
      says="here"
      onClose={onClose}
    >
      <p>Members can then work without a second factor, and turn theirs off.</p>
    </ConfirmDialog>
  );
}

function Missing({ names }: { names: readonly string[] }): ReactNode {
  if (names.length === 0) return <p>Every member has a second factor.</p>;
  return (
    <div className="stack-1">
      <h3>Without a second factor</h3>
      <ul className="bullets">
        {names.map((name, index) => (
          <li key={`${name}-${index}`} className="break">
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function State({ since }: { since: string | null }): ReactNode {
  if (since === null) return <p>Members may sign in without a second factor.</p>;
  return (
    <p>
      Required of all members from <time dateTime={since}>{formatDateTime(since)}</time> on.
    </p>
  );
}

function Control({ rules }: { rules: TeamRules }): ReactNode {
  return rules.second_factor_from === null ? (
    <DialogButton dialog={(close) => <RequireDialog missing={rules.missing ?? []} onClose={close} />}>
      Require it of all
    </DialogButton>
  ) : (
    <DialogButton dialog={(close) => <LiftDialog onClose={close} />}>Lift the rule</DialogButton>
  );
}

/** Whether all members need a second factor, who lacks one, and, for owners, the switch. */
export function SecondFactorRule({ rules, owner }: { rules: TeamRules; owner: boolean }): ReactNode {
  return (
    <Section id="rule-second-factor" title="Two-factor sign-in" card>
      <State since={rules.second_factor_from} />
      {rules.missing ? <Missing names={rules.missing} /> : null}
      {owner ? (
        <div className="row">
          <Control rules={rules} />
        </div>
      ) : (
        <p className="muted small">Only an owner with a second factor can change this.</p>
      )}
    </Section>
  );
}
