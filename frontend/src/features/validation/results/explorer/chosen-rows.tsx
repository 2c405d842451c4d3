import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import RotateCw from "lucide-react/icons/rotate-cw";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { ResultRow } from "../../../../api/types";
import { formatCount, formatNumber } from "../../../../lib/format";
import { navigation } from "../../../../lib/session";
import { useListAccess } from "../../access/use-list-access";
import { validateBulk } from "../../calls";
import { QuestionDialog } from "../../batches/question-dialog";
import { Button } from "../../../../ui/button";
import { Checkbox } from "../../../../ui/checkbox";
import { BulkBar, type Selection } from "../../../../ui/data-table/selection";
import { DialogButton } from "../../../../ui/dialog-button";
import { saveChosen } from "../exports";

function countAddresses(rows: readonly ResultRow[]): string {
  return formatCount(rows.length, "address", "addresses");
}

function copyAddresses(rows: readonly ResultRow[]): void {
  navigator.clipboard.writeText(rows.map(({ email }) => email).join("\n")).then(
    () => toast.success(`Copied ${countAddresses(rows)}`),
    () => toast.error("The browser did not allow copying."),
  );
}

interface CheckAgainDialogProps {
  rows: readonly ResultRow[];
  onClose: () => void;
}

/** Asks, then checks the addresses once more, as a list of their own. */
function CheckAgainDialog({ rows, onClose }: CheckAgainDialogProps): ReactNode {
  const [inHouse, setInHouse] = useState(false);
  const check = async () => {
    const { batch_id } = await validateBulk({
      emails: rows.map(({ email_checked }) => email_checked),
      inHouse,
    });
    navigation.go(`/dashboard/batch/${batch_id}`);
    return { message: `Checking ${countAddresses(rows)} again` };
  };
  return (
    <QuestionDialog
      title={`Check ${countAddresses(rows)} again?`}
      action="Check again"
      fallback="The addresses could not be checked again"
      act={check}
      onDone={onClose}
      onClose={onClose}
    >
      <p>
        They become a list of their own, at {formatCount(rows.length, "credit")} at most. These results stay
        as they are.
      </p>
      <Checkbox label="Keep the addresses with us" checked={inHouse} onChange={setInHouse} />
    </QuestionDialog>
  );
}

/** What can be done with the rows that are selected, in place of the filters. */
export function ChosenRows({ selection }: { selection: Selection<ResultRow> }): ReactNode {
  const { rows, all, shown, selectAll } = selection;
  const { mayDownload } = useListAccess();
  return (
    <BulkBar selection={selection}>
      {all ? null : (
        <Button kind="quiet" onClick={selectAll}>
          Select all {formatNumber(shown)} on this page
        </Button>
      )}
      {mayDownload ? (
        <Button onClick={() => toast.success(`Export completed: ${saveChosen(rows)}`)}>
          <Download size={16} aria-hidden />
          Download
        </Button>
      ) : null}
      <Button onClick={() => copyAddresses(rows)}>
        <Copy size={16} aria-hidden />
        Copy addresses
      </Button>
      <DialogButton
        changes
        needs="check"
        dialog={(close) => <CheckAgainDialog rows={rows} onClose={close} />}
      >
        <RotateCw size={16} aria-hidden />
        Check again
      </DialogButton>
    </BulkBar>
  );
}
