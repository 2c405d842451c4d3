import type { ReactNode } from "react";

import type { History } from "../../../../api/types";
import { formatNumber, formatTotal } from "../../../../lib/format";
import { useAction } from "../../../../lib/use-action";
import { Button } from "../../../../ui/button";
import type { Selection } from "../../../../ui/data-table/selection";
import { ShowMore } from "../../../../ui/states";
import { useListAccess } from "../../access/use-list-access";
import { exportIndividuals } from "../../results/exports";
import { BatchCard } from "./batch-card";
import { loadAllIndividuals } from "./calls";
import type { HistoryItem, HistoryParts } from "./history-items";
import { IndividualCard } from "./individual-card";
import type { useHistory } from "./use-history";

/** An export that reads all pages first. */
export function useHistoryExport(run: () => Promise<void>) {
  return useAction(run, "Failed to export bulk validation");
}

async function exportAllIndividuals(): Promise<void> {
  exportIndividuals(await loadAllIndividuals());
}

interface SectionProps {
  title: string;
  action?: ReactNode;
  items: readonly HistoryItem[];
  selection: Selection<HistoryItem>;
}

function Section({ title, action, items, selection }: SectionProps): ReactNode {
  if (items.length === 0) return null;
  return (
    <section className="stack-4">
      <div className="row row-between">
        <h2>{title}</h2>
        {action}
      </div>
      <div className="cards">
        {items.map((item) => {
          const choice = { box: selection.column.cell(item), selected: selection.isSelected(item) };
          return "batch" in item ? (
            <BatchCard key={item.key} batch={item.batch} {...choice} />
          ) : (
            <IndividualCard key={item.key} row={item.row} {...choice} />
          );
        })}
      </div>
    </section>
  );
}

interface ShownCountProps {
  shown: number;
  total: number;
  isLeast?: boolean;
}

function ShownCount({ shown, total, isLeast = false }: ShownCountProps): ReactNode {
  return (
    <span className="muted nums">
      {formatNumber(shown)} of {formatTotal(total, isLeast)}
    </span>
  );
}

interface HistoryListsProps {
  history: ReturnType<typeof useHistory>;
  first: History;
  parts: HistoryParts;
  selection: Selection<HistoryItem>;
}

/** Lists and single validations, each with a box that selects it. */
export function HistoryLists({ history, first, parts, selection }: HistoryListsProps): ReactNode {
  const exporting = useHistoryExport(exportAllIndividuals);
  const { mayDownload } = useListAccess();
  const { files, pasted, singles } = parts;
  const action = mayDownload ? (
    <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
      Export All Individual
    </Button>
  ) : null;
  return (
    <>
      <Section title="Files" items={files} selection={selection} />
      <Section title="Pasted lists" items={pasted} selection={selection} />
      <ShowMore pages={history.lists} things="lists">
        <ShownCount shown={files.length + pasted.length} total={first.batches_total} />
      </ShowMore>
      <Section title="Single validations" action={action} items={singles} selection={selection} />
      <ShowMore pages={history.singles} things="single validations">
        <ShownCount
          shown={singles.length}
          total={first.individual_total}
          isLeast={first.individual_total_is_least}
        />
      </ShowMore>
    </>
  );
}
