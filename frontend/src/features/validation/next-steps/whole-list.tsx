import type { ReactNode } from "react";

import type { Batch } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { Button } from "../../../ui/button";
import { exportPart, type ExportPart } from "../results/server-export";

interface SaveButtonProps {
  batch: Batch;
  part: ExportPart;
  children: string;
}

function SaveButton({ batch, part, children }: SaveButtonProps): ReactNode {
  const saving = useAction(() => exportPart(batch, part), "Failed to download batch data", {
    done: (name) => `Export completed: ${name}`,
  });
  return (
    <Button busy={saving.isPending} changes={false} onClick={() => saving.mutate()}>
      {children}
    </Button>
  );
}

/** The three groups at once, or the uploaded file with everything in it. */
export function WholeList({ batch }: { batch: Batch }): ReactNode {
  return (
    <section className="card stack-4" aria-labelledby="whole-heading">
      <h2 id="whole-heading">Everything at once</h2>
      <p className="muted">
        A zip with one file for each of the three groups, or your file with the results in it.
      </p>
      <div className="row">
        <SaveButton batch={batch} part={{ format: "zip", segment: "all" }}>
          All in one zip
        </SaveButton>
        {batch.batch_type === "file_upload" ? (
          <SaveButton batch={batch} part={{ format: "original", segment: "all" }}>
            Original file with results
          </SaveButton>
        ) : null}
      </div>
    </section>
  );
}
