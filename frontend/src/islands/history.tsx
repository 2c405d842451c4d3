import { useState, type ReactNode } from "react";

import { useListAccess } from "../features/validation/access/use-list-access";
import { FilledPage, FirstCheck } from "../features/validation/batches/first-check";
import { loadAllBatches, loadAllIndividuals, SORTS } from "../features/validation/batches/history/calls";
import { useCardKeys } from "../features/validation/batches/history/card-keys";
import { CategoryBreakdown } from "../features/validation/batches/history/category-breakdown";
import { ChosenItems } from "../features/validation/batches/history/chosen-items";
import {
  getItemName,
  splitHistory,
  type HistoryItem,
  type HistoryParts,
} from "../features/validation/batches/history/history-items";
import { HistoryLists, useHistoryExport } from "../features/validation/batches/history/history-lists";
import { useHistory } from "../features/validation/batches/history/use-history";
import { refreshHistory } from "../features/validation/calls";
import { exportHistory, loadAllRows } from "../features/validation/results/exports";
import { Button } from "../ui/button";
import { FilterBar } from "../ui/data-table/filter-bar";
import { useSelection, type Selection } from "../ui/data-table/selection";
import { useTableView, type Narrowing } from "../ui/data-table/use-table-view";
import { CATEGORY_FILTER } from "../ui/filters";
import { PageHead } from "../ui/page-head";
import { StaleNote } from "../ui/stale-note";
import { EmptyState, ErrorState, SkeletonCards } from "../ui/states";

async function exportEverything(): Promise<void> {
  const rows = await loadAllIndividuals();
  for (const batch of await loadAllBatches()) {
    for (const row of await loadAllRows(batch.batch_id)) rows.push(row);
  }
  exportHistory(rows);
}

function NoMatch({ clear }: Pick<Narrowing, "clear">): ReactNode {
  const action = <Button onClick={clear}>Clear filters</Button>;
  return (
    <EmptyState title="Nothing matches" action={action} plain>
      No list and no single validation matches these filters.
    </EmptyState>
  );
}

const FAILED = "Failed to load dashboard data";

function NotLoaded({ query }: Pick<ReturnType<typeof useHistory>, "query">): ReactNode {
  return query.error ? <ErrorState query={query} fallback={FAILED} /> : <SkeletonCards count={6} />;
}

interface BodyProps {
  history: ReturnType<typeof useHistory>;
  view: Narrowing & { values: { category: string } };
  parts: HistoryParts;
  selection: Selection<HistoryItem>;
  sandbox: boolean;
}

function Body({ history, view, parts, selection, sandbox }: BodyProps): ReactNode {
  const [isFilled, setFilled] = useState(false);
  const { query, lists, singles, batches, individuals } = history;
  const first = lists.data && singles.data?.pages[0];
  if (!first) return <NotLoaded query={query} />;
  const empty = batches.length + individuals.length === 0;
  if (empty && !view.filtered) {
    const fill = () => {
      setFilled(true);
      refreshHistory();
    };
    return (
      <FirstCheck sandbox={sandbox} title="No Validation History" onFilled={fill}>
        Every address and list that you validate is kept here with its verdicts and their evidence.
      </FirstCheck>
    );
  }
  return (
    <FilledPage isFilled={isFilled} busy={lists.isPlaceholderData}>
      <StaleNote query={query} fallback={FAILED} />
      <CategoryBreakdown category={view.values.category} />
      {empty ? (
        <NoMatch clear={view.clear} />
      ) : (
        <HistoryLists history={history} first={first} parts={parts} selection={selection} />
      )}
    </FilledPage>
  );
}

const FILTERS = {
  search: { label: "Search history", hint: "File, address or @domain" },
  category: CATEGORY_FILTER,
  from: { day: "From" },
  to: { day: "To" },
  sort: { label: "Sort by", options: SORTS, orders: true },
};

/** The tab History: lists and single validations with their exports. */
export default function History({ sandbox = false }: { sandbox?: boolean }): ReactNode {
  const view = useTableView(FILTERS);
  const { search, category, from, to, sort } = view.values;
  const history = useHistory({ search, category: category || null, from, to, sort });
  const { mayDownload } = useListAccess();
  const exporting = useHistoryExport(exportEverything);
  const parts = splitHistory(history.batches, history.individuals);
  const selection = useSelection<HistoryItem>({
    rows: [...parts.files, ...parts.pasted, ...parts.singles],
    getKey: ({ key }) => key,
    getLabel: (item) => `Select ${getItemName(item)}`,
  });
  useCardKeys();
  const empty = history.lists.isSuccess && history.batches.length + history.individuals.length === 0;
  const action = (
    <Button
      kind={empty ? "plain" : "primary"}
      shortcut="e"
      busy={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      Export history
    </Button>
  );
  return (
    <>
      <PageHead
        title="History"
        lead="Every list and address you validated."
        action={mayDownload ? action : null}
      />
      <div className="stack">
        <div className="results-bar">
          <FilterBar view={view} />
          <ChosenItems selection={selection} />
        </div>
        <Body history={history} view={view} parts={parts} selection={selection} sandbox={sandbox} />
      </div>
    </>
  );
}
