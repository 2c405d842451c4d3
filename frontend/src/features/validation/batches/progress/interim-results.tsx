import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import { useAction } from "../../../../lib/use-action";
import { useListAccess } from "../../access/use-list-access";
import { exportInterimResults } from "../../results/server-export";
import { Button, ButtonLink } from "../../../../ui/button";

/** What a list that is not done has by now: to be saved, or to be looked at. */
export function InterimResults({ batchId, done }: { batchId: string; done: number }): ReactNode {
  const { mayDownload } = useListAccess();
  const saving = useAction(() => exportInterimResults(batchId), "Failed to download batch data", {
    done: (name) => `Export completed: ${name}`,
  });
  return (
    <div className="row">
      {mayDownload ? (
        <Button busy={saving.isPending} changes={false} disabled={done === 0} onClick={() => saving.mutate()}>
          <Download size={16} aria-hidden />
          Download results so far
        </Button>
      ) : null}
      <ButtonLink href={`/dashboard/batch/${batchId}`}>Open results so far</ButtonLink>
    </div>
  );
}
