import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";
import { toast } from "sonner";

import { exportInterimResults } from "../../results/server-export";
import { getErrorMessage } from "../../../../lib/errors";
import { Button, ButtonLink } from "../../../../ui/button";

/** What a list that is not done has by now: to be saved, or to be looked at. */
export function InterimResults({ batchId, done }: { batchId: string; done: number }): ReactNode {
  const saving = useMutation({
    mutationFn: () => exportInterimResults(batchId),
    onSuccess: (name) => toast.success(`Export completed: ${name}`),
    onError: (error) => toast.error(getErrorMessage(error, "Failed to download batch data")),
  });
  return (
    <div className="row">
      <Button busy={saving.isPending} changes={false} disabled={done === 0} onClick={() => saving.mutate()}>
        <Download size={16} aria-hidden />
        Download results so far
      </Button>
      <ButtonLink href={`/dashboard/batch/${batchId}`}>Open results so far</ButtonLink>
    </div>
  );
}
