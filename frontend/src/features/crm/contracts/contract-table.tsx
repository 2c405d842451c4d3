import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { formatDate, formatDay, formatUsd, formatCount } from "../../../lib/format";
import { ContractBadge } from "./contract-badge";
import type { Order, Sort } from "./use-contracts";

interface Column {
  name: string;
  className: string;
  sort?: Sort;
}

const COLUMNS: readonly Column[] = [
  { name: "Company", className: "", sort: "company" },
  { name: "Plan", className: "only-wide" },
  { name: "Starts", className: "only-wide", sort: "start" },
  { name: "Ends", className: "", sort: "end" },
  { name: "Value", className: "number", sort: "value" },
  { name: "Status", className: "only-wide" },
  { name: "Renewal", className: "only-wide" },
];

interface Sorting {
  sort: Sort;
  order: Order;
  setSort: (sort: Sort, order: Order) => void;
}

function TableHeader({ column, sorting }: { column: Column; sorting: Sorting | undefined }): ReactNode {
  const { name, className, sort } = column;
  if (!sorting || !sort) {
    return (
      <th scope="col" className={className}>
        <span>{name}</span>
      </th>
    );
  }
  const sorted = sorting.sort === sort;
  const ascending = sorting.order === "asc";
  const Glyph = ascending ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={sorted ? (ascending ? "ascending" : "descending") : undefined}
    >
      <button type="button" onClick={() => sorting.setSort(sort, sorted && ascending ? "desc" : "asc")}>
        {name}
        {sorted ? <Glyph size={14} aria-hidden /> : null}
      </button>
    </th>
  );
}

const DAY_MS = 86_400_000;

/** How long an expiring contract still runs. */
function formatTimeLeft({ endDate, status }: Contract): string | null {
  if (status !== "expiring") return null;
  const days = Math.round((Date.parse(endDate) - Date.parse(formatDay())) / DAY_MS);
  return days > 0 ? `in ${formatCount(days, "day")}` : "today";
}

function formatRenewal({ autoRenewal, renewalDate }: Contract): string {
  if (autoRenewal) return "Renews itself";
  return renewalDate ? `Due ${formatDate(renewalDate)}` : "By hand";
}

function ContractRow({ contract, onOpen }: { contract: Contract; onOpen: () => void }): ReactNode {
  const { companyName, plan, startDate, endDate, value, status } = contract;
  const remaining = formatTimeLeft(contract);
  return (
    <tr>
      <td className="break">
        <button type="button" className="row-open" onClick={onOpen}>
          {companyName}
        </button>
        <div className="only-narrow">
          <ContractBadge status={status} />
        </div>
      </td>
      <td className="only-wide break">{plan}</td>
      <td className="only-wide nums crm-date">{formatDate(startDate)}</td>
      <td className="nums crm-date">
        {formatDate(endDate)}
        {remaining ? <div className="muted small">{remaining}</div> : null}
      </td>
      <td className="number">{formatUsd(value)}</td>
      <td className="only-wide">
        <ContractBadge status={status} />
      </td>
      <td className="only-wide muted small">{formatRenewal(contract)}</td>
    </tr>
  );
}

interface TableProps {
  label: string;
  contracts: Contract[];
  onOpen: (contract: Contract) => void;
  sorting?: Sorting;
}

/** Contracts, a line each; the line opens its form. */
export function ContractTable({ label, contracts, onOpen, sorting }: TableProps): ReactNode {
  return (
    <div className="table-frame">
      <table className="table table-rows" aria-label={label}>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <TableHeader key={column.name} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {contracts.map((contract) => (
            <ContractRow key={contract.id} contract={contract} onOpen={() => onOpen(contract)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}
