import type { ReactNode } from "react";

import { api, readData } from "../../../lib/client";
import { downloadFile } from "../../../lib/download-file";
import { formatDay } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";
import { useAction } from "../../../lib/use-action";

function ClearHistory({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <ConfirmDialog
      title="Clear validation history"
      action="Clear history"
      act={() => readData(api.DELETE("/api/user/validation-history"))}
      done={() => "Validation history cleared successfully!"}
      failed="Failed to clear history. Please try again."
      onEnd={() => void queryClient.invalidateQueries()}
      onClose={onClose}
    >
      <p>Are you sure you want to delete all your validation history? This action cannot be undone.</p>
      <p className="muted">Lists, uploaded files and results are deleted. Credits and usage counts stay.</p>
    </ConfirmDialog>
  );
}

/** Taking the data away, and deleting the history. */
export function YourData(): ReactNode {
  const exporting = useAction(
    () => downloadFile("/api/user/export-data", `emailcheck-data-${formatDay()}.json`),
    "Failed to export data. Please try again.",
    { done: () => "Data exported successfully!" },
  );
  return (
    <Section anchor="data" id="data-heading" title="Your data" card>
      <p>
        You can see, export, correct and delete your data, restrict its use and object to it. The{" "}
        <a href="/privacy">privacy policy</a> says what is kept and why.
      </p>
      <div className="row">
        <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
          Export my data
        </Button>
        <DialogButton needs="manage" dialog={(close) => <ClearHistory onClose={close} />}>
          Clear validation history
        </DialogButton>
      </div>
    </Section>
  );
}
