import Rows4 from "lucide-react/icons/rows-4";
import { Suspense, useMemo, type ReactNode } from "react";

import type { ResultRow, ResultsPage } from "../../../../api/types";
import { formatCount, formatNumber, formatTotal } from "../../../../lib/format";
import { Button } from "../../../../ui/button";
import { FilterBar } from "../../../../ui/data-table/filter-bar";
import { Pager } from "../../../../ui/data-table/pager";
import { QueryTable } from "../../../../ui/data-table/query-table";
import { lazyPart } from "../../../../ui/lazy-part";
import { useSelection, type Selection } from "../../../../ui/data-table/selection";
import { ChosenRows } from "./chosen-rows";
import { NUMBERED_RESULT_COLUMNS } from "../result-columns";
import { useCompact } from "./use-compact";
import { useInspector, type Inspector } from "./use-inspector";
import { PAGE_SIZE, useResults, useResultsView, type View } from "./use-results";

const InspectorView = lazyPart(async () => (await import("./inspector")).InspectorView);

interface ResultsProps {
  results: ReturnType<typeof useResults>;
  view: View;
  inspector: Inspector;
  selection: Selection<ResultRow>;
  compact: boolean;
}

/** All of a list's results, a page at a time; a row opens its evidence. */
function Results({ results, view, inspector, selection, compact }: ResultsProps): ReactNode {
  const first = (view.page - 1) * PAGE_SIZE + 1;
  return (
    <QueryTable
      label="Results"
      phone="lines"
      className={compact ? "sticky-head table-compact" : "sticky-head"}
      query={results}
      fallback="The results could not be loaded"
      skeleton={12}
      view={view}
      columns={[selection.column, ...NUMBERED_RESULT_COLUMNS]}
      pick={(page) => page.results}
      getKey={({ id }) => id}
      sorting={view.sorting}
      onOpen={(row) => inspector.open(row)}
      isCurrent={({ id }) => id === inspector.id}
      isSelected={selection.isSelected}
      empty={{
        title: "No results yet",
        text: "The first verdicts appear here while the list is worked on.",
      }}
      noMatch={{ title: "Nothing matches", text: "No address of this list matches." }}
      foot={({ next_cursor: next, results: { length }, total, total_is_least: isLeast }) => (
        <Pager
          back={view.back}
          on={next === null ? null : () => view.goOn(next)}
          words={[view.backWord, "Next"]}
        >
          {formatNumber(first)}–{formatNumber(first + length - 1)} of {formatTotal(total, isLeast)}
        </Pager>
      )}
    />
  );
}

interface ResultsExplorerProps {
  batchId: string;
  /** Follows once there are results, so that it does not jump below them. */
  children: ReactNode;
}

function formatMatches({ total, total_is_least: isLeast }: ResultsPage): string {
  return isLeast ? `${formatTotal(total, isLeast)} matches` : formatCount(total, "match", "matches");
}

/** All results of a batch: search, filter, order, page and the open row are in the address. */
export function ResultsExplorer({ batchId, children }: ResultsExplorerProps): ReactNode {
  const view = useResultsView();
  const results = useResults(batchId, view);
  const rows = useMemo(() => results.data?.results ?? [], [results.data]);
  // Rows of the page before, while the next one is on its way, are not stepped through.
  const inspector = useInspector(view, results.isPlaceholderData ? undefined : results.data);
  const selection = useSelection({
    rows,
    getKey: ({ id }) => id,
    getLabel: ({ email }) => `Select ${email}`,
  });
  const [compact, toggleCompact] = useCompact();
  return (
    <>
      <section className="stack-4" aria-label="Results">
        <div className="results-bar">
          <FilterBar view={view}>
            <span className="muted nums" role="status">
              {results.data ? formatMatches(results.data) : ""}
            </span>
            <span className="only-wide">
              <Button kind="quiet" aria-pressed={compact} onClick={toggleCompact}>
                <Rows4 size={16} aria-hidden />
                Compact
              </Button>
            </span>
          </FilterBar>
          <ChosenRows selection={selection} />
        </div>
        <div className={inspector.active ? "results-view has-inspector" : "results-view"}>
          <Results
            results={results}
            view={view}
            inspector={inspector}
            selection={selection}
            compact={compact}
          />
          <Suspense>{inspector.active ? <InspectorView inspector={inspector} rows={rows} /> : null}</Suspense>
        </div>
      </section>
      {results.data ? children : null}
    </>
  );
}
