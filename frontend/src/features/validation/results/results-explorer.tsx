import { SearchX } from "lucide-react";
import type { ReactNode } from "react";

import type { ResultsPage } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { CategoryFilter, SearchField } from "../../../ui/filters";
import { StaleNote } from "../../../ui/stale-note";
import { EmptyState, ErrorState, SkeletonRows } from "../../../ui/states";
import { ResultsTable } from "./results-table";
import { PAGE_SIZE, SORTS, useResults, useResultsView, type View } from "./use-results";

const FAILED = "The results could not be loaded";
const SORT_WORDS = {
  row: "Order of the list",
  email: "Address",
  category: "Verdict",
  confidence: "Confidence",
};

/** On phones the headers are gone, and this stands for them. */
function SortSelect({ view }: { view: View }): ReactNode {
  return (
    <select
      className="input only-narrow"
      aria-label="Sort by"
      value={view.descending ? `-${view.sort}` : view.sort}
      onChange={(event) => view.setSort(event.target.value)}
    >
      {SORTS.flatMap((sort) => [
        <option key={sort} value={sort}>
          {SORT_WORDS[sort]} ↑
        </option>,
        <option key={`-${sort}`} value={`-${sort}`}>
          {SORT_WORDS[sort]} ↓
        </option>,
      ])}
    </select>
  );
}

function ResultsPager({ page, view }: { page: ResultsPage; view: View }): ReactNode {
  const { next } = page;
  const first = (view.page - 1) * PAGE_SIZE + 1;
  return (
    <div className="pager">
      <span>
        {formatNumber(first)}–{formatNumber(first + page.results.length - 1)} of {formatNumber(page.total)}
      </span>
      <div className="row">
        {view.cursor === null ? null : <Button onClick={view.back}>{view.backWord}</Button>}
        {next === null ? null : <Button onClick={() => view.next(next)}>Next</Button>}
      </div>
    </div>
  );
}

interface FrameProps {
  results: ReturnType<typeof useResults>;
  view: View;
}

function Frame({ results, view }: FrameProps): ReactNode {
  if (!results.data) {
    return results.error ? <ErrorState query={results} fallback={FAILED} /> : <SkeletonRows count={12} />;
  }
  if (results.data.results.length > 0) {
    return (
      <div aria-busy={results.isPlaceholderData}>
        <StaleNote query={results} fallback={FAILED} />
        <ResultsTable rows={results.data.results} view={view} />
        <ResultsPager page={results.data} view={view} />
      </div>
    );
  }
  const filtered = view.search !== "" || view.category !== null;
  return (
    <EmptyState
      icon={SearchX}
      title={filtered ? "Nothing matches" : "No results yet"}
      action={filtered ? <Button onClick={view.clear}>Clear filters</Button> : null}
    >
      {filtered
        ? "No address of this list matches."
        : "The first verdicts appear here while the list is worked on."}
    </EmptyState>
  );
}

interface ResultsExplorerProps {
  batchId: string;
  /** Follows once there are results, so that it does not jump below them. */
  children: ReactNode;
}

/** All results of a batch: search, filter, order and page on the server, and in the address. */
export function ResultsExplorer({ batchId, children }: ResultsExplorerProps): ReactNode {
  const view = useResultsView();
  const results = useResults(batchId, view);
  return (
    <>
      <section className="stack-4" aria-label="Results">
        <div className="toolbar">
          <SearchField
            label="Search addresses"
            hint="Start of an address, or @domain"
            value={view.search}
            onSearch={view.setSearch}
          />
          <CategoryFilter value={view.category} onChange={view.setCategory} />
          <SortSelect view={view} />
          <span className="muted nums" role="status">
            {results.data ? formatCount(results.data.total, "match", "matches") : ""}
          </span>
        </div>
        <div className="table-frame">
          <Frame results={results} view={view} />
        </div>
      </section>
      {results.data ? children : null}
    </>
  );
}
