import type { ResultRow } from "../../../api/types";
import { formatConfidence } from "../../../lib/format";
import { getCategory, getSendLabel } from "../../../lib/labels";
import { numberColumn, type Column } from "../../../ui/data-table/columns";
import { CategoryBadge, SendLabel } from "../../../ui/status-badge";
import { formatChecks, formatReason } from "./result-labels";

/** The reason, and where not every check was made, which were. */
function describeReason({ reason, rechecked_at, ...row }: ResultRow): string {
  const again = rechecked_at ? ", re-checked" : "";
  return (
    formatReason(reason) + again + (row.checks === "basic" ? `, ${formatChecks(row).toLowerCase()}` : "")
  );
}

/** A result in a table: address, verdict, deliverability, reason, confidence. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  {
    key: "email",
    title: "Address",
    sort: "up",
    className: "address",
    opens: true,
    cell: ({ email }) => email,
  },
  {
    key: "category",
    title: "Verdict",
    sort: "up",
    cell: (row) => <CategoryBadge category={getCategory(row)} />,
  },
  {
    key: "deliverability",
    title: "Deliverability",
    hideBelow: "narrow",
    cell: (row) => <SendLabel label={getSendLabel(row)} />,
  },
  { key: "reason", title: "Reason", hideBelow: "narrow", className: "muted", cell: describeReason },
  {
    key: "confidence",
    title: "Confidence",
    sort: "up",
    align: "number",
    cell: ({ confidence_score }) => formatConfidence(confidence_score),
  },
];

/** The same, with the row of the list. */
export const NUMBERED_RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  numberColumn("row", "Row", ({ row }) => row, { sort: "up", hideBelow: "narrow", className: "muted" }),
  ...RESULT_COLUMNS,
];
