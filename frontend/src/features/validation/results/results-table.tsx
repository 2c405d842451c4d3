import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { ResultRow } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { DetailsDialog } from "./details-dialog";
import { RowCells } from "./row-cells";
import type { Sort, View } from "./use-results";

interface HeaderProps {
  view: View;
  name: Sort;
  label: string;
  number?: boolean;
}

function getDirection(view: View, name: Sort): "ascending" | "descending" | "none" {
  if (view.sort !== name) return "none";
  return view.descending ? "descending" : "ascending";
}

const GLYPHS = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown };

/** A header cell that sorts as a whole. */
function SortHeader({ view, name, label, number = false }: HeaderProps): ReactNode {
  const current = getDirection(view, name);
  const Glyph = GLYPHS[current];
  return (
    <th scope="col" aria-sort={current} className={number ? "number" : undefined}>
      <button type="button" onClick={() => view.setSort(current === "ascending" ? `-${name}` : name)}>
        {label}
        <Glyph size={14} aria-hidden />
      </button>
    </th>
  );
}

function ResultRowView({ row, onOpen }: { row: ResultRow; onOpen: () => void }): ReactNode {
  return (
    <tr>
      <td className="number muted only-wide">{formatNumber(row.row)}</td>
      <RowCells row={row} onOpen={onOpen} />
    </tr>
  );
}

/** A page of results; a row opens its evidence. */
export function ResultsTable({ rows, view }: { rows: ResultRow[]; view: View }): ReactNode {
  const [opened, setOpened] = useState<ResultRow | null>(null);
  return (
    <>
      <table className="table table-rows sticky-head two-line">
        <thead>
          <tr>
            <SortHeader view={view} name="row" label="Row" number />
            <SortHeader view={view} name="email" label="Address" />
            <SortHeader view={view} name="category" label="Verdict" />
            <th scope="col">
              <span>Deliverability</span>
            </th>
            <th scope="col">
              <span>Reason</span>
            </th>
            <SortHeader view={view} name="confidence" label="Confidence" number />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ResultRowView key={row.id} row={row} onOpen={() => setOpened(row)} />
          ))}
        </tbody>
      </table>
      {opened ? <DetailsDialog row={opened} onClose={() => setOpened(null)} /> : null}
    </>
  );
}
