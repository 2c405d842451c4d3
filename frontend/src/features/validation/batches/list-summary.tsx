import { Suspense, useState, type ReactNode } from "react";

import type { ResultRow } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { getNextSteps } from "../calls";
import { formatChecks } from "../results/result-labels";
import { ButtonLink } from "../../../ui/button";
import { CategorySummary, DecisionSummary } from "../../../ui/counts";
import { DataTable } from "../../../ui/data-table/data-table";
import { focusOnArrival } from "../../../lib/focus";
import { RESULT_COLUMNS } from "../results/result-columns";
import { lazyPart } from "../../../ui/lazy-part";
import { Term } from "../../../ui/term";
import type { ListOutcome } from "./list-outcome";

const DetailsDialog = lazyPart(async () => (await import("../results/details-dialog")).DetailsDialog);

function Preview({ rows }: { rows: ResultRow[] }): ReactNode {
  const [opened, setOpened] = useState<ResultRow | null>(null);
  return (
    <>
      <DataTable
        label="First results"
        phone="lines"
        columns={RESULT_COLUMNS}
        rows={rows}
        getKey={({ id }) => id}
        onOpen={setOpened}
      />
      <Suspense>{opened ? <DetailsDialog row={opened} onClose={() => setOpened(null)} /> : null}</Suspense>
    </>
  );
}

/** A finished list: categories, deliverability, the first results, and the way to all of them. */
export function ListSummary({ outcome }: { outcome: ListOutcome }): ReactNode {
  const { batchId, counts, preview, duplicatesRemoved, creditsUsed } = outcome;
  const page = `/dashboard/batch/${batchId}`;
  const used = `${formatCount(creditsUsed, "credit")} used`;
  const duplicates = duplicatesRemoved > 0 ? `, ${formatCount(duplicatesRemoved, "duplicate")} removed` : "";
  return (
    <section className="card stack" aria-labelledby="summary-title">
      <div className="row row-between">
        <div>
          <h2 id="summary-title" className="arrival" tabIndex={-1} ref={focusOnArrival}>
            {formatCount(counts.total_emails, "address", "addresses")} validated
          </h2>
          <p className="muted nums">
            <Term name={`${counts.checks}_checks`}>{formatChecks(counts)}</Term>, {used}
            {duplicates}
          </p>
        </div>
        <div className="row">
          <ButtonLink href={getNextSteps(batchId)}>Next steps</ButtonLink>
          <ButtonLink kind="primary" href={page}>
            View Results
          </ButtonLink>
        </div>
      </div>
      <div className="stack-4">
        <h3>Category summary</h3>
        <CategorySummary counts={counts} rows={{ page }} />
      </div>
      <div className="stack-4">
        <h3>Deliverability summary</h3>
        <DecisionSummary counts={counts} rows={{ page }} />
      </div>
      <div className="stack-4">
        <h3>First {preview.length === 1 ? "result" : `${preview.length} results`}</h3>
        <Preview rows={preview} />
      </div>
    </section>
  );
}
