import Download from "lucide-react/icons/download";
import Trash2 from "lucide-react/icons/trash-2";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import { formatNumber } from "../../../../lib/format";
import { useAction } from "../../../../lib/use-action";
import { Button } from "../../../../ui/button";
import { BulkBar, type Selection } from "../../../../ui/data-table/selection";
import { ActDialog } from "../../../../ui/dialog";
import { DialogButton } from "../../../../ui/dialog-button";
import { Meter } from "../../../../ui/progress";
import { useListAccess } from "../../access/use-list-access";
import { refreshCredits, refreshHistory } from "../../calls";
import {
  countItems,
  deleteItems,
  downloadItems,
  getItemName,
  type BulkOutcome,
  type HistoryItem,
  type OnStep,
} from "./history-items";

/** So many of those that failed are named. */
const MOST_NAMED = 3;

/** One message, however many failed. */
function sayOutcome({ said, failures }: BulkOutcome): void {
  if (failures.length === 0) {
    toast.success(said);
    return;
  }
  const named = failures.slice(0, MOST_NAMED).map(({ item, reason }) => `${getItemName(item)}: ${reason}`);
  const others = failures.length - named.length;
  const more = others > 0 ? [`and ${formatNumber(others)} more`] : [];
  toast.error(said, { description: [...named, ...more].join(" · "), duration: 10_000 });
}

type Deed = (items: readonly HistoryItem[], onStep: OnStep) => Promise<BulkOutcome>;

/** Does something to all that are chosen, and says how far it is. */
function useBulkDeed(items: readonly HistoryItem[], deed: Deed, onEnd: () => void) {
  const [done, setDone] = useState(0);
  const running = useAction(() => deed(items, setDone), "It could not be done", {
    onDone: sayOutcome,
    onEnd,
  });
  return { done, busy: running.isPending, start: () => running.mutate() };
}

interface DeleteDialogProps {
  items: readonly HistoryItem[];
  onClose: () => void;
}

function DeleteDialog({ items, onClose }: DeleteDialogProps): ReactNode {
  // Those that are gone are gone from the selection, too: what was asked about stays what it was.
  const [asked] = useState(items);
  const { done, busy, start } = useBulkDeed(asked, deleteItems, () => {
    refreshHistory();
    refreshCredits();
    onClose();
  });
  return (
    <ActDialog
      title={`Delete ${countItems(asked)}?`}
      action="Delete"
      kind="danger"
      busy={busy}
      onAct={start}
      onClose={onClose}
    >
      <div className="stack-4">
        <p>All results go, too, and cannot be brought back. Download what you still need first.</p>
        <p className="muted">Your totals and the credits used stay as they are.</p>
        {busy ? <Steps words="Deleting" done={done} all={asked.length} /> : null}
      </div>
    </ActDialog>
  );
}

interface StepsProps {
  words: string;
  done: number;
  all: number;
}

function Steps({ words, done, all }: StepsProps): ReactNode {
  return (
    <div className="stack-1 grow">
      <p className="small nums" role="status">
        {words} {formatNumber(done + 1)} of {formatNumber(all)}
      </p>
      <Meter value={done / all} label={words} />
    </div>
  );
}

/** What can be done with the lists and single validations that are selected. */
export function ChosenItems({ selection }: { selection: Selection<HistoryItem> }): ReactNode {
  const { rows, all, shown, selectAll } = selection;
  const { mayDownload } = useListAccess();
  const { done, busy, start } = useBulkDeed(rows, downloadItems, () => undefined);
  return (
    <BulkBar selection={selection}>
      {busy ? <Steps words="Reading" done={done} all={rows.length} /> : null}
      {all ? null : (
        <Button kind="quiet" onClick={selectAll}>
          Select all {formatNumber(shown)} shown
        </Button>
      )}
      {mayDownload ? (
        <Button busy={busy} changes={false} onClick={start}>
          <Download size={16} aria-hidden />
          Download
        </Button>
      ) : null}
      <DialogButton
        changes
        needs="change_lists"
        dialog={(close) => <DeleteDialog items={rows} onClose={close} />}
      >
        <Trash2 size={16} aria-hidden />
        Delete
      </DialogButton>
    </BulkBar>
  );
}
