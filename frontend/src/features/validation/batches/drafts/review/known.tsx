import type { ReactNode } from "react";

import type { Draft } from "../../../../../api/types";
import { formatCount, formatDate, formatNumber } from "../../../../../lib/format";
import { Button } from "../../../../../ui/button";
import { ActDialog } from "../../../../../ui/dialog";
import { DialogButton } from "../../../../../ui/dialog-button";
import { REUSE_DAYS } from "../upload";
import { Counted } from "./counted";
import type { ReviewPartProps } from "./repairs";

type Known = NonNullable<Draft["known"]>;

/** 3 November 2026, or 3 November 2026 to 20 November 2026. */
function formatDates({ first, last }: Known): string {
  const [from, to] = [formatDate(first), formatDate(last)];
  return from === to ? from : `${from} to ${to}`;
}

function describeKnown(known: Known, unique: number): string {
  const { count, same_as: same } = known;
  if (!same) {
    return `${formatNumber(count)} of ${formatCount(unique, "address", "addresses")} were checked on ${formatDates(known)}.`;
  }
  const list = same.name === "" ? "list as the one pasted on" : `file as ${same.name} of`;
  return `This is the same ${list} ${formatDate(same.date)}.`;
}

function describeReuse({ cost }: Draft, { count }: Known): string {
  const verdicts = count === 1 ? "Its verdict is" : "Their verdicts are";
  const others =
    cost === 0 ? "nothing else is to pay" : `the others cost ${formatCount(cost, "credit")} at most`;
  return `${verdicts} used again free of charge, with their own date; ${others}.`;
}

/** What is known of the addresses: their verdicts are taken over, unless all are asked anew. */
export function KnownAddresses({ draft, counting, onChoose }: ReviewPartProps): ReactNode {
  const { known, unique, reuse_days } = draft;
  if (reuse_days === 0) {
    return (
      <div className="notice">
        <p>All addresses are checked again, whatever is known of them.</p>
        <Button onClick={() => onChoose({ reuse_days: REUSE_DAYS })}>Use earlier verdicts</Button>
      </div>
    );
  }
  if (!known) return null;
  return (
    <div className="notice">
      <div className="stack-1 break nums">
        <p>{describeKnown(known, unique)}</p>
        <p className="muted small">
          <Counted busy={counting}>{describeReuse(draft, known)}</Counted>
        </p>
      </div>
      <DialogButton
        dialog={(close) => (
          <CheckAllDialog
            known={known}
            onClose={close}
            onAct={() => {
              onChoose({ reuse_days: 0 });
              close();
            }}
          />
        )}
      >
        Check all again
      </DialogButton>
    </div>
  );
}

interface CheckAllDialogProps {
  known: Known;
  onClose: () => void;
  onAct: () => void;
}

function CheckAllDialog({ known, onClose, onAct }: CheckAllDialogProps): ReactNode {
  const more = formatCount(known.count, "credit");
  return (
    <ActDialog title="Check all again?" action="Check all again" onClose={onClose} onAct={onAct}>
      <p className="nums">
        {formatCount(known.count, "address", "addresses")} with a verdict of the last {REUSE_DAYS} days will
        be checked and charged anew: up to {more} more.
      </p>
    </ActDialog>
  );
}
