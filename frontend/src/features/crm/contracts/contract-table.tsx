import type { Contract, Contracts } from "../../../api/types";
import { formatDate, formatDay, formatUsd, formatCount } from "../../../lib/format";
import { textColumn, type Column } from "../../../ui/data-table/columns";
import { ContractBadge } from "./contract-badge";

const DAY_MS = 86_400_000;

/** How long an expiring contract still runs. */
function formatTimeLeft({ endDate, status }: Contract): string | null {
  if (status !== "expiring") return null;
  const days = Math.round((Date.parse(endDate) - Date.parse(formatDay())) / DAY_MS);
  return days > 0 ? `in ${formatCount(days, "day")}` : "today";
}

/** What becomes of it at its end. */
export function formatRenewal({ autoRenewal, renewalDate }: Contract): string {
  if (autoRenewal) return "Renews itself";
  return renewalDate ? `Due ${formatDate(renewalDate)}` : "By hand";
}

const COLUMNS: readonly Column<Contract>[] = [
  textColumn("company", "Company", ({ companyName, id }) => <span data-record={id}>{companyName}</span>, {
    sort: "up",
    className: "break",
    opens: true,
    note: ({ status }) => (
      <span className="only-narrow">
        <ContractBadge status={status} />
      </span>
    ),
  }),
  textColumn("plan", "Plan", ({ plan }) => plan, { hideBelow: "narrow" }),
  textColumn("start", "Starts", ({ startDate }) => formatDate(startDate), {
    sort: "up",
    hideBelow: "narrow",
    className: "nums crm-date",
  }),
  textColumn("end", "Ends", ({ endDate }) => formatDate(endDate), {
    sort: "up",
    className: "nums crm-date",
    note: formatTimeLeft,
  }),
  textColumn("value", "Value", ({ value }) => formatUsd(value), { sort: "up", align: "number" }),
  textColumn("status", "Status", ({ status }) => <ContractBadge status={status} />, { hideBelow: "narrow" }),
  textColumn("renewal", "Renewal", formatRenewal, { hideBelow: "narrow", className: "muted small" }),
];

/** How the table of contracts looks; a line opens its contract. */
export const CONTRACT_TABLE = {
  className: "table-snug",
  columns: COLUMNS,
  pick: ({ contracts }: Contracts) => contracts,
  getKey: ({ id }: Contract) => id,
  fallback: "Failed to load contracts",
};
