import type { ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { formatCount, formatNumber } from "../../../lib/format";
import { ButtonLink } from "../../../ui/button";
import { DialogButton } from "../../../ui/dialog-button";
import { checkRest, refreshBatch } from "../calls";
import { QuestionDialog } from "./question-dialog";

type Rest = NonNullable<BatchDetail["rest"]>;

function describeRest({ addresses, cost }: Rest): string {
  if (addresses === null || cost === null) return "They are counted, and charged, when they are checked.";
  return `Checking ${addresses === 1 ? "it" : "them"} costs ${formatCount(cost, "credit")} at most.`;
}

function describeLeftOut(addresses: number | null): string {
  if (addresses === null) return "Addresses of the file were left out.";
  return `${formatCount(addresses, "address", "addresses")} of the file ${addresses === 1 ? "was" : "were"} left out.`;
}

function lacksCredits({ cost, credits }: Rest): boolean {
  return cost !== null && cost > credits;
}

interface OfferProps {
  batch: BatchDetail;
  rest: Rest;
}

/** The addresses of a list that was cut to its credits: at what cost they are checked, as far as the credits suffice. */
export function RestOffer({ batch, rest }: OfferProps): ReactNode {
  const lacks = lacksCredits(rest);
  return (
    <section className="notice" aria-label="The rest of the list">
      <div className="stack-1 nums">
        <p>{describeLeftOut(rest.addresses)}</p>
        <p className="muted small">
          {describeRest(rest)}
          {lacks ? ` You have ${formatNumber(rest.credits)}.` : ""}
        </p>
      </div>
      <div className="row">
        {lacks ? (
          <ButtonLink href="/dashboard?tab=pricing" needs="pay">
            Buy credits
          </ButtonLink>
        ) : null}
        <RestButton batch={batch} rest={rest} />
      </div>
    </section>
  );
}

function RestButton({ batch, rest }: OfferProps): ReactNode {
  const { cost, credits } = rest;
  if (credits === 0 && cost !== 0) return null;
  return (
    <DialogButton
      kind="primary"
      needs="check"
      dialog={(close) => <RestDialog batch={batch} rest={rest} onClose={close} />}
    >
      {lacksCredits(rest) ? `Check the next ${formatNumber(credits)}` : "Check the rest"}
    </DialogButton>
  );
}

interface RestDialogProps extends OfferProps {
  onClose: () => void;
}

/** Asks before the rest is checked: the most it costs, and that nothing else is charged again. */
function RestDialog({ batch, rest, onClose }: RestDialogProps): ReactNode {
  const { cost, credits } = rest;
  const lacks = lacksCredits(rest);
  const most = cost === null || lacks ? credits : cost;
  return (
    <QuestionDialog
      title={lacks ? `Check the next ${formatNumber(credits)}?` : "Check the rest?"}
      action="Check them"
      cancel="Not now"
      fallback="The rest could not be checked"
      act={() => checkRest(batch.batch_id, lacks ? credits : null)}
      onDone={() => refreshBatch(batch.batch_id)}
      onClose={onClose}
    >
      <p className="nums">
        This costs {formatCount(most, "credit")} at most. What was checked before stays as it is, and is not
        charged again.
      </p>
    </QuestionDialog>
  );
}
