import { type ReactNode } from "react";

import type { BatchDetail } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { formatReason } from "../results/result-labels";
import { ButtonLink } from "../../../ui/button";
import { FullCheckDialog } from "./batch-dialogs";
import { DialogButton } from "../../../ui/dialog-button";

const NOT_INCLUDED = formatReason("not_in_plan");

/** What basic checks left open in a finished list can be checked in full: at what cost, or with what it needs. */
export function FullCheckOffer({ batch }: { batch: BatchDetail }): ReactNode {
  const { not_in_plan_count: count, in_full_cost: cost } = batch;
  if (count === 0) return null;
  return (
    <section className="notice" aria-label="Basic checks">
      <div className="stack-1">
        <p className="nums">
          Basic checks left {formatCount(count, "address", "addresses")} open: {NOT_INCLUDED.toLowerCase()}.
        </p>
        <p className="muted small nums">
          {cost === null
            ? `These can be checked in full in the Growth trial, with a paid plan, or with a pack of at least ${formatCount(count, "credit")}.`
            : `Checking these in full costs ${formatCount(cost, "credit")} at most.`}
        </p>
      </div>
      {cost === null ? (
        <ButtonLink href="/dashboard?tab=pricing" needs="pay">
          See plans and packs
        </ButtonLink>
      ) : (
        <DialogButton
          kind="primary"
          needs="check"
          dialog={(close) => <FullCheckDialog batch={batch} count={count} cost={cost} onClose={close} />}
        >
          Check these in full
        </DialogButton>
      )}
    </section>
  );
}
