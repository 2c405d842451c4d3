import type { ReactNode } from "react";

import type { ResultRow } from "../../../api/types";
import { formatConfidence } from "../../../lib/format";
import { getCategory, getSendLabel } from "../../../lib/labels";
import { formatChecks, formatReason } from "./result-labels";
import { CategoryBadge, SendLabel } from "../../../ui/status-badge";

/** The cells of a result in a table: address, verdict, deliverability, reason and where not every check was made, confidence. */
export function RowCells({ row, onOpen }: { row: ResultRow; onOpen: () => void }): ReactNode {
  return (
    <>
      <td className="address">
        <button type="button" className="row-open" onClick={onOpen}>
          {row.email}
        </button>
      </td>
      <td>
        <CategoryBadge category={getCategory(row)} />
      </td>
      <td className="only-wide">
        <SendLabel label={getSendLabel(row)} />
      </td>
      <td className="muted only-wide">
        {formatReason(row.reason)}
        {row.rechecked_at ? ", re-checked" : null}
        {row.checks === "basic" ? `, ${formatChecks(row).toLowerCase()}` : null}
      </td>
      <td className="number">{formatConfidence(row.confidence_score)}</td>
    </>
  );
}
