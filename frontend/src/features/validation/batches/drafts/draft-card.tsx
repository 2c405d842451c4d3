import Trash2 from "lucide-react/icons/trash";
import { useState, type ReactNode } from "react";

import type { Draft, Started } from "../../../../api/types";
import { getErrorMessage } from "../../../../lib/errors";
import { formatCount } from "../../../../lib/format";
import { MESSAGE_FAILED } from "./upload";
import { Button } from "../../../../ui/button";
import { ErrorState, SkeletonRows } from "../../../../ui/states";
import { focusOnArrival } from "../../../../lib/focus";
import { useUnsent } from "../../../../lib/unsent/use-unsent";
import { PrivateChoice } from "../../access/private-choice";
import { ValidationFailure } from "../../validation-failure";
import { isPlain, lacksCredits, needsConsent } from "./decisions";
import { ColumnsStep } from "./reading/columns-step";
import { ReviewStep } from "./review/review-step";
import { useDraft, type DraftState } from "./use-draft";

type Step = "columns" | "review";

const STEPS: Record<Step, { title: string; lead: string }> = {
  columns: { title: "Columns", lead: "This is how we read it. Change what was guessed wrong." },
  review: { title: "Review", lead: "Nothing is charged or started before you press Start validation." },
};

/** newsletter.csv · 1,200 rows; of a typed list: Pasted list, 1,200 addresses. */
function DraftName({ draft }: { draft: Draft }): ReactNode {
  if (draft.pasted) return `Pasted list, ${formatCount(draft.unique, "address", "addresses")}`;
  return (
    <>
      <span className="break">{draft.filename}</span> · {formatCount(draft.rows, "row")}
    </>
  );
}

function DraftHead({ draft, step, plain }: { draft: Draft; step: Step; plain: boolean }): ReactNode {
  const { title, lead } = STEPS[step];
  return (
    <div className="stack-1">
      <p className="hint nums">
        {plain ? null : `Step ${step === "columns" ? 1 : 2} of 2 · `}
        <DraftName draft={draft} />
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
  /** Whether it may be started, or read on: that a column is ticked, that all is agreed to. */
  ready: boolean;
  isPrivate: boolean;
  /** Says that there was nothing to choose of how it is read. */
  plain: boolean;
  onStep: (step: Step) => void;
}

/** A list that takes more than a day starts only after that was agreed to. */
function canStart(draft: Draft, agreed: boolean): boolean {
  return !lacksCredits(draft) && (agreed || !needsConsent(draft));
}

function DraftActions({ draft, step, state, ready, isPrivate, plain, onStep }: DraftActionsProps): ReactNode {
  const { change, start, discard } = state;
  const waiting = change.isPending || start.isPending;
  return (
    <div className="row draft-actions">
      {step === "columns" ? (
        <Button kind="primary" disabled={!ready} onClick={() => onStep("review")}>
          Continue
        </Button>
      ) : (
        <>
          <Button kind="primary" busy={waiting} disabled={!ready} onClick={() => start.mutate(isPrivate)}>
            Start validation
          </Button>
          <Button disabled={start.isPending} onClick={() => onStep("columns")}>
            {plain ? "Change how it is read" : "Back"}
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
        Remove {draft.pasted ? "list" : "file"}
      </Button>
    </div>
  );
}

/** What was agreed to and ticked on the way to the start. */
function useSteps(draft: Draft, startsPrivate: boolean) {
  const [plain] = useState(draft.pasted || isPlain(draft));
  const [step, setStep] = useState<Step>(plain ? "review" : "columns");
  const [noColumn, setNoColumn] = useState(false);
  // Another column may take another time, and what was agreed to was this one.
  const [agreedTo, setAgreedTo] = useState<number | null>(null);
  const [isPrivate, setIsPrivate] = useState(startsPrivate);
  useUnsent(`upload-step:${draft.upload_id}`, step, plain ? "review" : "columns", setStep);
  useUnsent(`upload-private:${draft.upload_id}`, isPrivate, startsPrivate, setIsPrivate);
  const seconds = draft.estimate?.seconds ?? null;
  const agreed = agreedTo !== null && agreedTo === seconds;
  const agree = (yes: boolean) => setAgreedTo(yes ? seconds : null);
  return { plain, step, setStep, noColumn, setNoColumn, agreed, agree, isPrivate, setIsPrivate };
}

interface DraftStepsProps extends Pick<DraftActionsProps, "draft" | "state"> {
  startsPrivate: boolean;
}

/** A list that was read: its columns where there is a choice, then the review. */
function DraftSteps({ draft, state, startsPrivate }: DraftStepsProps): ReactNode {
  const steps = useSteps(draft, startsPrivate);
  const { plain, step, setStep, noColumn, agreed, isPrivate } = steps;
  const { shown, change, start, choose, counting } = state;
  const showStep = (next: Step) => {
    if (change.isError) change.reset();
    start.reset();
    steps.setNoColumn(false);
    setStep(next);
  };
  const body = { draft: shown ?? draft, busy: change.isPending, counting, onChoose: choose };
  const failure = change.error ?? start.error;
  return (
    <section className="card stack draft" aria-label={draft.pasted ? "Pasted list" : "Upload"}>
      <DraftHead draft={draft} step={step} plain={plain} />
      {step === "columns" ? (
        <ColumnsStep {...body} none={noColumn} onNone={steps.setNoColumn} />
      ) : (
        <ReviewStep {...body} agreed={agreed} onAgree={steps.agree}>
          <PrivateChoice checked={isPrivate} onChange={steps.setIsPrivate} />
        </ReviewStep>
      )}
      {failure ? (
        <ValidationFailure message={getErrorMessage(failure, MESSAGE_FAILED)} error={failure} />
      ) : null}
      <DraftActions
        draft={draft}
        step={step}
        state={state}
        ready={step === "columns" ? !noColumn : canStart(draft, agreed)}
        isPrivate={isPrivate}
        plain={plain}
        onStep={showStep}
      />
    </section>
  );
}

interface DraftCardProps {
  uploadId: string;
  /** Whether it was said before that other members do not see it. */
  startsPrivate: boolean;
  onStarted: (started: Started, pasted: boolean) => void;
  onGone: () => void;
}

/** A list between upload and start. */
export function DraftCard({ uploadId, startsPrivate, onStarted, onGone }: DraftCardProps): ReactNode {
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
  return <DraftSteps draft={draft.data} state={state} startsPrivate={startsPrivate} />;
}
