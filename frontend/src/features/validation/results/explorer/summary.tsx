import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import type { Batch } from "../../../../api/types";
import { DECISION_WORDS, type Decision } from "../../../../lib/labels";
import { useAction } from "../../../../lib/use-action";
import { useUrlState } from "../../../../lib/url-state";
import { IconButton } from "../../../../ui/button";
import { CategorySummary, DecisionSummary } from "../../../../ui/counts";
import { useListAccess } from "../../access/use-list-access";
import { exportPart } from "../server-export";

/** The addresses of one decision as a file. */
function DownloadDecision({ batch, decision }: { batch: Batch; decision: Decision }): ReactNode {
  const saving = useAction(
    () => exportPart(batch, { format: "csv", segment: decision }),
    "Failed to download batch data",
    { done: (name) => `Export completed: ${name}` },
  );
  return (
    <IconButton
      label={`Download ${DECISION_WORDS[decision]} as CSV`}
      aria-busy={saving.isPending}
      disabled={saving.isPending}
      onClick={() => saving.mutate()}
    >
      <Download size={18} aria-hidden />
    </IconButton>
  );
}

/** What came out of a list. It is the filter of the results below, too. */
export function Summary({ batch }: { batch: Batch }): ReactNode {
  const [url] = useUrlState();
  const { mayDownload } = useListAccess();
  const current = { category: url.get("category") ?? "", decision: url.get("decision") ?? "" };
  return (
    <section className="card stack" aria-label="Summary">
      <DecisionSummary
        counts={batch}
        rows={{ current }}
        {...(mayDownload
          ? { action: (decision: Decision) => <DownloadDecision batch={batch} decision={decision} /> }
          : {})}
      />
      <CategorySummary counts={batch} rows={{ current }} />
    </section>
  );
}
