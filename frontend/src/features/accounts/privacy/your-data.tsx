import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import { api, fetchAuthorised, readData } from "../../../lib/client";
import { saveBlob } from "../../../lib/download";
import { getErrorMessage } from "../../../lib/errors";
import { formatDay } from "../../../lib/format";
import { queryClient } from "../../../lib/query";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";

async function exportData(): Promise<void> {
  const answer = await fetchAuthorised(new Request(new URL("/api/user/export-data", location.origin)));
  saveBlob(await answer.blob(), `emailcheck-data-${formatDay()}.json`);
}

function ClearHistory({ onClose }: { onClose: () => void }): ReactNode {
  const clearing = useMutation({
    mutationFn: () => readData(api.DELETE("/api/user/validation-history")),
    onSuccess: () => {
      toast.success("Validation history cleared successfully!");
      void queryClient.invalidateQueries();
      onClose();
    },
    onError: (error) => {
      toast.error(getErrorMessage(error, "Failed to clear history. Please try again."));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Clear validation history"
      action="Clear history"
      busy={clearing.isPending}
      onConfirm={() => clearing.mutate()}
      onClose={onClose}
    >
      <p>Are you sure you want to delete all your validation history? This action cannot be undone.</p>
      <p className="muted">Lists, uploaded files and results are deleted. Credits and usage counts stay.</p>
    </ConfirmDialog>
  );
}

/** Taking the data away, and deleting the history. */
export function YourData(): ReactNode {
  const [clearing, setClearing] = useState(false);
  const exporting = useMutation({
    mutationFn: exportData,
    onSuccess: () => toast.success("Data exported successfully!"),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to export data. Please try again.")),
  });
  return (
    <section className="card stack-4" aria-labelledby="data-heading">
      <h2 id="data-heading">Your data</h2>
      <p>
        You can see, export, correct and delete your data, restrict its use and object to it. The{" "}
        <a href="/privacy">privacy policy</a> says what is kept and why.
      </p>
      <div className="row">
        <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
          Export my data
        </Button>
        <Button onClick={() => setClearing(true)}>Clear validation history</Button>
      </div>
      {clearing ? <ClearHistory onClose={() => setClearing(false)} /> : null}
    </section>
  );
}
