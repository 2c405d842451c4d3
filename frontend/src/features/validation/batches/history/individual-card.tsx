import type { ReactNode } from "react";

import type { ResultRow } from "../../../../api/types";
import { exportResult } from "../../results/exports";
import { formatConfidence, formatDateTime } from "../../../../lib/format";
import { refreshHistory } from "../../calls";
import { getCategory } from "../../../../lib/labels";
import { formatChecks } from "../../results/result-labels";
import { AddressTitle } from "../../../../ui/address";
import { Button } from "../../../../ui/button";
import { DialogButton } from "../../../../ui/dialog-button";
import { CategoryBadge } from "../../../../ui/status-badge";
import { DeleteResult } from "../../results/delete-result";
import { DetailsDialog } from "../../results/details-dialog";
import { TypedText } from "../../results/verdict";

interface IndividualCardProps {
  row: ResultRow;
  /** Selects it. */
  box: ReactNode;
  selected: boolean;
}

/** One single validation. */
export function IndividualCard({ row, box, selected }: IndividualCardProps): ReactNode {
  return (
    <article className="card batch-card" data-selected={selected ? "" : undefined}>
      <div className="row">
        {box}
        <CategoryBadge category={getCategory(row)} />
        <span className="muted small nums" title="Confidence of safe delivery">
          {formatConfidence(row.confidence_score)} confidence
        </span>
      </div>
      <h3 title={row.email}>
        <AddressTitle email={row.email_checked} />
      </h3>
      <TypedText row={row} />
      <p className="muted small">
        <time dateTime={row.validated_at}>{formatDateTime(row.validated_at)}</time>,{" "}
        {formatChecks(row).toLowerCase()}
      </p>
      <div className="batch-actions">
        <DialogButton dialog={(close) => <DetailsDialog row={row} onClose={close} />}>
          View details
        </DialogButton>
        <Button kind="quiet" onClick={() => exportResult(row)}>
          Export
        </Button>
        <DeleteResult row={row} onDeleted={refreshHistory} />
      </div>
    </article>
  );
}
