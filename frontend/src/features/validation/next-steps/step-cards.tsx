import { Suspense, type ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { formatCount, formatNumber } from "../../../lib/format";
import { countNeverSent, DECISION_WORDS, type Decision } from "../../../lib/labels";
import { DialogButton } from "../../../ui/dialog-button";
import { lazyPart } from "../../../ui/lazy-part";
import { SendLabel } from "../../../ui/status-badge";
import { Term } from "../../../ui/term";
import { canRecheck } from "../batches/rechecks";
import { FormatButtons } from "./format-buttons";
import { ReachSlider } from "./reach-slider";

interface StepProps {
  decision: Decision;
  title: string;
  count: number;
  /** Said in place of everything else where there are none. */
  none: string;
  children: ReactNode;
}

function Step({ decision, title, count, none, children }: StepProps): ReactNode {
  const id = `step-${decision}`;
  return (
    <li>
      <section className="card stack-4" aria-labelledby={id}>
        <div className="row row-between">
          <h2 id={id}>{title}</h2>
          <Term name={decision}>
            <SendLabel label={DECISION_WORDS[decision]} />
          </Term>
        </div>
        <p className="next-number nums">{formatNumber(count)}</p>
        {count === 0 ? <p className="muted">{none}</p> : children}
      </section>
    </li>
  );
}

interface CardProps {
  batch: BatchDetail;
  /** Whether results may be saved as files. */
  saves: boolean;
}

function SafeStep({ batch, saves }: CardProps): ReactNode {
  return (
    <Step
      decision="safe"
      title="1. Send to the safe ones"
      count={batch.safe_to_send_count}
      none="No address of this list is safe to send to."
    >
      <p>
        Their mail servers accept them, or everything that could be checked speaks for them. Write to them
        now.
      </p>
      {saves ? (
        <FormatButtons batch={batch} what="safe addresses" part={{ segment: "safe" }} primary />
      ) : null}
    </Step>
  );
}

const RecheckBatchDialog = lazyPart(
  async () => (await import("../batches/batch-dialogs")).RecheckBatchDialog,
);

function RecheckButton({ batch }: { batch: BatchDetail }): ReactNode {
  if (!canRecheck(batch)) return null;
  return (
    <div className="row">
      <DialogButton
        needs="check"
        dialog={(close) => (
          <Suspense>
            <RecheckBatchDialog batch={batch} onClose={close} />
          </Suspense>
        )}
      >
        Re-check unknown
      </DialogButton>
      <span className="muted small">
        Free, and possible once: <Term name="recheck">what it does</Term>
      </span>
    </div>
  );
}

function RiskyStep({ batch, saves }: CardProps): ReactNode {
  return (
    <Step
      decision="risky"
      title="2. Decide about risky and unknown"
      count={batch.risky_count}
      none="No address of this list is risky: there is nothing to decide."
    >
      <p>
        Nobody could say for sure. A <Term name="catch_all">catch-all</Term> server takes every name, so the
        mailbox may not exist; for an <Term name="unknown">unknown</Term> address no clear answer came. Send
        to a few of them first, and watch what bounces.
      </p>
      <RecheckButton batch={batch} />
      <ReachSlider batch={batch} saves={saves} />
      {saves ? (
        <details className="technical">
          <summary>The risky ones on their own</summary>
          <FormatButtons batch={batch} what="risky addresses" part={{ segment: "risky" }} />
        </details>
      ) : null}
    </Step>
  );
}

function describeNever({ invalid_count, disposable_count, spam_trap_count }: BatchDetail): string {
  const kinds = [
    `${formatNumber(invalid_count)} invalid`,
    `${formatNumber(disposable_count)} disposable`,
    formatCount(spam_trap_count, "spam trap"),
  ];
  return kinds.join(", ");
}

function SuppressStep({ batch, saves }: CardProps): ReactNode {
  return (
    <Step
      decision="do_not_send"
      title="3. Suppress the rest"
      count={countNeverSent({ ...batch })}
      none="No address has to be suppressed."
    >
      <p>
        {describeNever(batch)}. They bounce, are thrown away after use, or are traps. Take them off your list,
        and put them on the <Term name="suppression_list">suppression list</Term> of your program, so that no
        other import brings them back.
      </p>
      {saves ? (
        <FormatButtons batch={batch} what="addresses to suppress" part={{ segment: "do_not_send" }} />
      ) : null}
    </Step>
  );
}

/** What to do with a list, in three steps. */
export function StepCards(props: CardProps): ReactNode {
  return (
    <ol className="stack">
      <SafeStep {...props} />
      <RiskyStep {...props} />
      <SuppressStep {...props} />
    </ol>
  );
}
