import type { ResultRow } from "../../../api/types";
import { formatConfidence } from "../../../lib/format";
import { getCategory, getSendLabel } from "../../../lib/labels";
import { Address } from "../../../ui/address";
import { numberColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { CategoryBadge, SendLabel } from "../../../ui/status-badge";
import { TraceSpark } from "../../../ui/trace";
import { listStopsOfRow } from "./replies";
import { formatChecks, formatReason } from "./result-labels";
import { TypedText } from "./verdict";

/** The reason, and where not every check was made, which were. */
function describeReason({ reason, rechecked_at, ...row }: ResultRow): string {
  const again = rechecked_at ? ", re-checked" : "";
  return (
    formatReason(reason) + again + (row.checks === "basic" ? `, ${formatChecks(row).toLowerCase()}` : "")
  );
}

/** A result in a table: address, verdict, deliverability, reason, confidence. */
export const RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  textColumn(
    "email",
    "Address",
    (row) => (
      <>
        <Address email={row.email_checked} />
        <TypedText row={row} />
      </>
    ),
    {
      sort: "up",
      className: "address",
      opens: true,
    },
  ),
  textColumn("category", "Verdict", (row) => <CategoryBadge category={getCategory(row)} />, {
    sort: "up",
    className: "verdict-cell",
  }),
  textColumn("deliverability", "Deliverability", (row) => <SendLabel label={getSendLabel(row)} />, {
    className: "send-cell",
  }),
  textColumn("reason", "Reason", describeReason, { className: "reason muted" }),
  textColumn("confidence", "Confidence", ({ confidence_score }) => formatConfidence(confidence_score), {
    sort: "up",
    align: "number",
    className: "confidence-cell",
  }),
];

/** The same, with the row of the list, and how far the question got. */
export const NUMBERED_RESULT_COLUMNS: readonly Column<ResultRow>[] = [
  numberColumn("row", "Row", ({ row }) => row, {
    sort: "up",
    hideBelow: "narrow",
    className: "muted",
  }),
  ...RESULT_COLUMNS.slice(0, 1),
  textColumn("trace", "Asked", (row) => <TraceSpark stops={listStopsOfRow(row)} tone={getCategory(row)} />, {
    hideBelow: "narrow",
    hint: "How far the question got: syntax, domain, mail host, mailbox",
  }),
  ...RESULT_COLUMNS.slice(1),
];
