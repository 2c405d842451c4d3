import type { ReactNode } from "react";

import type { Batch, History as HistoryPage } from "../api/types";
import { BatchCard } from "../features/validation/batches/history/batch-card";
import { CategoryBreakdown } from "../features/validation/batches/history/category-breakdown";
import { IndividualCard } from "../features/validation/batches/history/individual-card";
import { useHistory } from "../features/validation/batches/history/use-history";
import { loadAllRows, exportHistory, exportIndividuals } from "../features/validation/results/exports";
import { loadAllBatches, loadAllIndividuals, SORTS } from "../features/validation/batches/history/calls";
import { formatNumber } from "../lib/format";
import { Button, ButtonLink } from "../ui/button";
import { FilterBar } from "../ui/data-table/filter-bar";
import { useTableView, type Narrowing } from "../ui/data-table/use-table-view";
import { CATEGORY_FILTER } from "../ui/filters";
import { PageHead } from "../ui/page-head";
import { StaleNote } from "../ui/stale-note";
import { EmptyState, ErrorState, ShowMore, SkeletonCards } from "../ui/states";
import { useAction } from "../lib/use-action";

async function exportEverything(): Promise<void> {
  const rows = await loadAllIndividuals();
  for (const batch of await loadAllBatches()) {
    for (const row of await loadAllRows(batch.id)) rows.push(row);
  }
  exportHistory(rows);
}

async function exportAllIndividuals(): Promise<void> {
  exportIndividuals(await loadAllIndividuals());
}

/** An export that reads all pages first. */
function useExport(run: () => Promise<void>) {
  return useAction(run, "Failed to export bulk validation");
}

interface SectionProps {
  title: string;
  action?: ReactNode;
  children: ReactNode[];
}

function Section({ title, action, children }: SectionProps): ReactNode {
  if (children.length === 0) return null;
  return (
    <section className="stack-4">
      <div className="row row-between">
        <h2>{title}</h2>
        {action}
      </div>
      <div className="cards">{children}</div>
    </section>
  );
}

function HistoryLists({ shown, total }: { shown: number; total: number }): ReactNode {
  return (
    <span className="muted nums">
      {formatNumber(shown)} of {formatNumber(total)}
    </span>
  );
}

interface ListsProps {
  history: ReturnType<typeof useHistory>;
  first: HistoryPage;
}

function Lists({ history, first }: ListsProps): ReactNode {
  const { batches, individuals, lists, singles } = history;
  const exporting = useExport(exportAllIndividuals);
  const cards = (type: Batch["batch_type"]) =>
    batches
      .filter(({ batch_type }) => batch_type === type)
      .map((batch) => <BatchCard key={batch.id} batch={batch} />);
  const action = (
    <Button busy={exporting.isPending} onClick={() => exporting.mutate()}>
      Export All Individual
    </Button>
  );
  return (
    <>
      <Section title="Files">{cards("file_upload")}</Section>
      <Section title="Pasted lists">{cards("bulk_textarea")}</Section>
      <ShowMore pages={lists} things="lists">
        <HistoryLists shown={batches.length} total={first.batches_total} />
      </ShowMore>
      <Section title="Single validations" action={action}>
        {individuals.map((row) => (
          <IndividualCard key={row.id} row={row} />
        ))}
      </Section>
      <ShowMore pages={singles} things="single validations">
        <HistoryLists shown={individuals.length} total={first.individual_total} />
      </ShowMore>
    </>
  );
}

interface EmptyHistoryProps {
  view: Narrowing;
}

function EmptyHistory({ view }: EmptyHistoryProps): ReactNode {
  if (view.filtered) {
    const action = <Button onClick={view.clear}>Clear filters</Button>;
    return (
      <EmptyState title="Nothing matches" action={action} plain>
        No list and no single validation matches these filters.
      </EmptyState>
    );
  }
  const action = (
    <ButtonLink kind="primary" href="/dashboard?tab=validate">
      Start Validating
    </ButtonLink>
  );
  return (
    <EmptyState title="No Validation History" action={action}>
      Every address and list that you validate is kept here with its verdicts and their evidence.
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
}

function Body({ history, view }: BodyProps): ReactNode {
  const { query, lists, singles, batches, individuals } = history;
  const first = lists.data && singles.data?.pages[0];
  if (!first) return <NotLoaded query={query} />;
  const empty = batches.length + individuals.length === 0;
  if (empty && !view.filtered) return <EmptyHistory view={view} />;
  return (
    <div className="stack" aria-busy={lists.isPlaceholderData}>
      <StaleNote query={query} fallback={FAILED} />
      <CategoryBreakdown category={view.values.category} />
      {empty ? <EmptyHistory view={view} /> : <Lists history={history} first={first} />}
    </div>
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
export default function History(): ReactNode {
  const view = useTableView(FILTERS);
  const { search, category, from, to, sort } = view.values;
  const history = useHistory({ search, category: category || null, from, to, sort });
  const exporting = useExport(exportEverything);
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
      <PageHead title="History" lead="Every list and address you validated." action={action} />
      <div className="stack">
        <FilterBar view={view} />
        <Body history={history} view={view} />
      </div>
    </>
  );
}
