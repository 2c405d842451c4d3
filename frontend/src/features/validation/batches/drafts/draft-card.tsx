import Trash2 from "lucide-react/icons/trash";
import { useState, type ReactNode } from "react";

import type { Draft, Started } from "../../../../api/types";
import { getErrorMessage } from "../../../../lib/errors";
import { formatCount } from "../../../../lib/format";
import { MESSAGE_FAILED } from "./upload";
import { Button } from "../../../../ui/button";
import { ErrorState, SkeletonRows } from "../../../../ui/states";
import { focusOnArrival } from "../../../../lib/focus";
import { PrivateChoice } from "../../access/private-choice";
import { ValidationFailure } from "../../validation-failure";
import { ColumnsStep } from "./columns-step";
import { needsConsent } from "./time-estimate";
import { lacksCredits, ReviewStep } from "./review-step";
import { useDraft, type DraftState } from "./use-draft";

type Step = "columns" | "review";

const STEPS: Record<Step, { title: string; lead: string }> = {
  columns: { title: "Columns", lead: "This is how we read the file. Change what was guessed wrong." },
  review: { title: "Review", lead: "Nothing is charged or started before you press Start validation." },
};

function DraftHead({ draft, step }: { draft: Draft; step: Step }): ReactNode {
  const { title, lead } = STEPS[step];
  return (
    <div className="stack-1">
      <p className="hint nums">
        Step {step === "columns" ? 1 : 2} of 2 · <span className="break">{draft.filename}</span> ·{" "}
        {formatCount(draft.rows, "row")}
      </p>
      <h2 key={step} className="arrival" tabIndex={-1} ref={focusOnArrival}>
        {title}
      </h2>
      <p className="lead">{lead}</p>
    </div>
  );
}

interface DraftActionsProps {
  draft: Draft;
  step: Step;
  state: DraftState;
  agreed: boolean;
  isPrivate: boolean;
  onStep: (step: Step) => void;
}

/** A list that takes more than a day starts only after that was agreed to. */
function canStart(draft: Draft, agreed: boolean): boolean {
  return !lacksCredits(draft) && (agreed || !needsConsent(draft));
}

function DraftActions({ draft, step, state, agreed, isPrivate, onStep }: DraftActionsProps): ReactNode {
  const { change, start, discard } = state;
  const waiting = change.isPending || start.isPending;
  return (
    <div className="row draft-actions">
      {step === "columns" ? (
        <Button kind="primary" busy={change.isPending} onClick={() => onStep("review")}>
          Continue
        </Button>
      ) : (
        <>
          <Button
            kind="primary"
            busy={waiting}
            disabled={!canStart(draft, agreed)}
            onClick={() => start.mutate(isPrivate)}
          >
            Start validation
          </Button>
          <Button disabled={waiting} onClick={() => onStep("columns")}>
            Back
          </Button>
        </>
      )}
      <Button
        kind="quiet"
        busy={discard.isPending}
        disabled={start.isPending}
        onClick={() => discard.mutate()}
      >
        <Trash2 size={16} aria-hidden />
        Remove file
      </Button>
    </div>
  );
}

/** A file that was read: its columns, then the review. */
function DraftSteps({ draft, state }: Pick<DraftActionsProps, "draft" | "state">): ReactNode {
  const [step, setStep] = useState<Step>("columns");
  // Another column may take another time, and what was agreed to was this one.
  const [agreedTo, setAgreedTo] = useState<number | null>(null);
  const [isPrivate, setIsPrivate] = useState(false);
  const { shown, change, start, choose } = state;
  const seconds = draft.estimate?.seconds ?? null;
  const agreed = agreedTo !== null && agreedTo === seconds;
  const showStep = (next: Step) => {
    change.reset();
    start.reset();
    setStep(next);
  };
  const body = { draft: shown ?? draft, busy: change.isPending, onChoose: choose };
  const failure = change.error ?? start.error;
  return (
    <section className="card stack draft" aria-label="Upload">
      <DraftHead draft={draft} step={step} />
      {step === "columns" ? (
        <ColumnsStep {...body} />
      ) : (
        <ReviewStep {...body} agreed={agreed} onAgree={(yes) => setAgreedTo(yes ? seconds : null)}>
          <PrivateChoice checked={isPrivate} onChange={setIsPrivate} />
        </ReviewStep>
      )}
      {failure ? (
        <ValidationFailure message={getErrorMessage(failure, MESSAGE_FAILED)} error={failure} />
      ) : null}
      <DraftActions
        draft={draft}
        step={step}
        state={state}
        agreed={agreed}
        isPrivate={isPrivate}
        onStep={showStep}
      />
    </section>
  );
}

interface DraftCardProps {
  uploadId: string;
  onStarted: (started: Started) => void;
  onGone: () => void;
}

/** A file between upload and start. */
export function DraftCard({ uploadId, onStarted, onGone }: DraftCardProps): ReactNode {
  const state = useDraft(uploadId, { onStarted, onGone });
  const { draft } = state;
  if (draft.isPending) return <SkeletonRows count={6} />;
  if (draft.isError) {
    return (
      <section className="card stack-4" aria-label="Upload">
        <ErrorState query={draft} fallback="The upload could not be loaded" />
        <div className="row">
          <Button onClick={onGone}>Choose another file</Button>
        </div>
      </section>
    );
  }
  return <DraftSteps draft={draft.data} state={state} />;
}
