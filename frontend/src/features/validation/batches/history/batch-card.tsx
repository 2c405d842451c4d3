import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import type { ReactNode } from "react";

import type { Batch } from "../../../../api/types";
import { PrivateMark } from "../../access/private-list";
import { useListAccess } from "../../access/use-list-access";
import { downloadBatch, exportCard, getBatchTitle } from "../../results/exports";
import { formatChecks } from "../../results/result-labels";
import { Button, ButtonLink, IconButton } from "../../../../ui/button";
import { DialogButton } from "../../../../ui/dialog-button";
import { ResultBar } from "../../../../ui/progress";
import { BatchBadge } from "../../../../ui/status-badge";
import { Time } from "../../../../ui/values";
import { formatExtent, getListedStanding } from "../progress/list-stage";
import { AnalyticsDialog } from "./analytics-dialog";

function BatchProgressBar({ batch }: { batch: Batch }): ReactNode {
  const done = formatExtent(getListedStanding(batch));
  return (
    <div className="stack-2">
      <ResultBar counts={batch} total={batch.total_emails} label={done} thin />
      <p className="muted small nums">{done}</p>
    </div>
  );
}

interface BatchCardProps {
  batch: Batch;
  /** Selects it. */
  box: ReactNode;
  selected: boolean;
}

/** One list: how far it is or what came out, and its exports. */
export function BatchCard({ batch, box, selected }: BatchCardProps): ReactNode {
  const exporting = useMutation({ mutationFn: () => exportCard(batch) });
  const downloading = useMutation({ mutationFn: () => downloadBatch(batch) });
  const { mayDownload } = useListAccess();
  const title = getBatchTitle(batch);
  return (
    <article className="card batch-card" data-selected={selected ? "" : undefined}>
      <div className="row">
        {box}
        <BatchBadge status={batch.status} />
        <PrivateMark batch={batch} />
        <span className="muted small">
          <Time at={batch.created_at} />
        </span>
      </div>
      <h3 title={title}>{title}</h3>
      <BatchProgressBar batch={batch} />
      <p className="muted small">{formatChecks(batch)}</p>
      {batch.error ? <p className="notice notice-danger">{batch.error}</p> : null}
      <div className="batch-actions">
        <ButtonLink href={`/dashboard/batch/${batch.batch_id}`}>Results</ButtonLink>
        <DialogButton kind="quiet" dialog={(close) => <AnalyticsDialog batch={batch} onClose={close} />}>
          Details
        </DialogButton>
        {mayDownload ? (
          <Button kind="quiet" busy={exporting.isPending} onClick={() => exporting.mutate()}>
            Export
          </Button>
        ) : null}
        {mayDownload && batch.batch_type === "file_upload" ? (
          <IconButton
            label={`Download ${title}`}
            disabled={downloading.isPending}
            onClick={() => downloading.mutate()}
          >
            <Download size={18} aria-hidden />
          </IconButton>
        ) : null}
      </div>
    </article>
  );
}
