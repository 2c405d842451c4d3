import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Batch } from "../../../../api/types";
import type { TermName } from "../../../../lib/terms";
import { exportAnalytics, getBatchTitle } from "../../results/exports";
import { formatNumber, NO_VALUE, calculateShare } from "../../../../lib/format";
import { countNeverSent } from "../../../../lib/labels";
import { formatChecks } from "../../results/result-labels";
import { Button } from "../../../../ui/button";
import { CategorySummary, DecisionSummary } from "../../../../ui/counts";
import { Dialog } from "../../../../ui/dialog";
import { Facts, type Fact } from "../../../../ui/facts";
import { BatchBadge } from "../../../../ui/status-badge";
import { Term } from "../../../../ui/term";
import { Time } from "../../../../ui/values";

/** Safe addresses, or else the valid ones, in the whole list, as a whole percent. */
export function formatSuccessRate(batch: Batch): string {
  const good = batch.safe_to_send_count || batch.valid_count;
  return `${Math.round(calculateShare(good, batch.total_emails) * 100)}%`;
}

function TermFact(props: { name: TermName; word: string; children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>
        <Term name={props.name}>{props.word}</Term>
      </dt>
      <dd>{props.children}</dd>
    </div>
  );
}

export function AnalyticsDialog({ batch, onClose }: { batch: Batch; onClose: () => void }): ReactNode {
  const exporting = useMutation({ mutationFn: () => exportAnalytics(batch) });
  const rows = { page: `/dashboard/batch/${batch.batch_id}` };
  const facts: Fact[] = [
    ["Total", formatNumber(batch.total_emails)],
    ["Processed", formatNumber(batch.processed)],
    ["Duplicates removed", formatNumber(batch.duplicates_removed)],
    ["Credits used", formatNumber(batch.credits_used)],
    ["Checks", <Term name={`${batch.checks}_checks`}>{formatChecks(batch)}</Term>],
    ["Status", <BatchBadge status={batch.status} />],
    ["Started", <Time at={batch.created_at} />],
    ["Finished", batch.completed_at ? <Time at={batch.completed_at} /> : NO_VALUE],
    ["Id", <span className="mono">{batch.batch_id}</span>],
  ];
  const actions = (
    <>
      <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
        Export
      </Button>
      <Button kind="primary" onClick={onClose}>
        Close
      </Button>
    </>
  );
  return (
    <Dialog
      title="Batch Analytics"
      description={getBatchTitle(batch)}
      wide
      onClose={onClose}
      actions={actions}
    >
      <div className="stack">
        <DecisionSummary counts={batch} rows={rows} />
        <CategorySummary counts={batch} rows={rows} />
        <Facts facts={facts}>
          <TermFact name="high_risk" word="High Risk">
            {formatNumber(countNeverSent(batch))}
          </TermFact>
          <TermFact name="list_success_rate" word="Success Rate">
            {formatSuccessRate(batch)}
          </TermFact>
        </Facts>
      </div>
    </Dialog>
  );
}
