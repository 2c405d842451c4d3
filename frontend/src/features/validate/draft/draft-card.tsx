import { Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Draft, Started } from "../../../api/types";
import { messageOf } from "../../../lib/errors";
import { plural } from "../../../lib/format";
import { MESSAGE_FAILED } from "../../../lib/upload";
import { Button } from "../../../ui/button";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { focusOnArrival } from "../arrival";
import { Failure } from "../failure";
import { ColumnsStep } from "./columns-step";
import { lacksCredits, ReviewStep } from "./review-step";
import { useDraft, type DraftState } from "./use-draft";

type Step = "columns" | "review";

const STEPS: Record<Step, { title: string; lead: string }> = {
  columns: { title: "Columns", lead: "This is how we read the file. Change what was guessed wrong." },
  review: { title: "Review", lead: "Nothing is charged or started before you press Start validation." },
};

function Head({ draft, step }: { draft: Draft; step: Step }): ReactNode {
  const { title, lead } = STEPS[step];
  return (
    <div className="stack-1">
      <p className="hint nums">
        Step {step === "columns" ? 1 : 2} of 2 · <span className="break">{draft.filename}</span> ·{" "}
        {plural(draft.rows, "row")}
      </p>
      <h2 key={step} className="arrival" tabIndex={-1} ref={focusOnArrival}>
        {title}
      </h2>
      <p className="lead">{lead}</p>
    </div>
  );
}

interface ActionsProps {
  draft: Draft;
  step: Step;
  state: DraftState;
  onStep: (step: Step) => void;
}

function Actions({ draft, step, state, onStep }: ActionsProps): ReactNode {
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
          <Button kind="primary" busy={waiting} disabled={lacksCredits(draft)} onClick={() => start.mutate()}>
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

interface DraftCardProps {
  uploadId: string;
  onStarted: (started: Started) => void;
  onGone: () => void;
}

/** A file between upload and start: its columns, then the review. */
export function DraftCard({ uploadId, onStarted, onGone }: DraftCardProps): ReactNode {
  const state = useDraft(uploadId, { onStarted, onGone });
  const [step, setStep] = useState<Step>("columns");
  const { draft, shown, change, start, choose } = state;
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
  const Body = step === "columns" ? ColumnsStep : ReviewStep;
  const go = (next: Step) => {
    change.reset();
    start.reset();
    setStep(next);
  };
  const failure = change.error ?? start.error;
  return (
    <section className="card stack draft" aria-label="Upload">
      <Head draft={draft.data} step={step} />
      <Body draft={shown ?? draft.data} busy={change.isPending} onChoose={choose} />
      {failure ? <Failure message={messageOf(failure, MESSAGE_FAILED)} error={failure} /> : null}
      <Actions draft={draft.data} step={step} state={state} onStep={go} />
    </section>
  );
}
