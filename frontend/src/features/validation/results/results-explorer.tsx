import { useState, type ReactNode } from "react";

import type { ResultRow } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { Pager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { DetailsDialog } from "./details-dialog";
import { NUMBERED_RESULT_COLUMNS } from "./result-columns";
import { PAGE_SIZE, useResults, useResultsView, type View } from "./use-results";

/** All of a list's results, a page at a time; a row opens its evidence. */
function Results({ results, view }: { results: ReturnType<typeof useResults>; view: View }): ReactNode {
  const [opened, setOpened] = useState<ResultRow | null>(null);
  const first = (view.page - 1) * PAGE_SIZE + 1;
  return (
    <>
      <QueryTable
        label="Results"
        phone="lines"
        className="sticky-head"
        query={results}
        fallback="The results could not be loaded"
        skeleton={12}
        view={view}
        columns={NUMBERED_RESULT_COLUMNS}
        pick={(page) => page.results}
        getKey={({ id }) => id}
        sorting={view.sorting}
        onOpen={setOpened}
        empty={{
          title: "No results yet",
          text: "The first verdicts appear here while the list is worked on.",
        }}
        noMatch={{ title: "Nothing matches", text: "No address of this list matches." }}
        foot={({ next, results: { length }, total }) => (
          <Pager
            back={view.back}
            on={next === null ? null : () => view.goOn(next)}
            words={[view.backWord, "Next"]}
          >
            {formatNumber(first)}–{formatNumber(first + length - 1)} of {formatNumber(total)}
          </Pager>
        )}
      />
      {opened ? <DetailsDialog row={opened} onClose={() => setOpened(null)} /> : null}
    </>
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
        <FilterBar view={view}>
          <span className="muted nums" role="status">
            {results.data ? formatCount(results.data.total, "match", "matches") : ""}
          </span>
        </FilterBar>
        <Results results={results} view={view} />
      </section>
      {results.data ? children : null}
    </>
  );
}
