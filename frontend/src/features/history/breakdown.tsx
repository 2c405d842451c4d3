import type { ReactNode } from "react";

import type { Batch, Counts, ResultRow } from "../../api/types";
import { countRows } from "../../lib/csv";
import { plural } from "../../lib/format";
import { CategorySummary } from "../../ui/counts";

function add(left: Counts, right: Counts): Counts {
  return {
    total_emails: left.total_emails + right.total_emails,
    valid_count: left.valid_count + right.valid_count,
    invalid_count: left.invalid_count + right.invalid_count,
    unknown_count: left.unknown_count + right.unknown_count,
    catch_all_count: left.catch_all_count + right.catch_all_count,
    disposable_count: left.disposable_count + right.disposable_count,
    spam_trap_count: left.spam_trap_count + right.spam_trap_count,
    safe_to_send_count: left.safe_to_send_count + right.safe_to_send_count,
    risky_count: left.risky_count + right.risky_count,
  };
}

/** What is done so far: a batch on its way counts with what it has. */
function soFar(batch: Batch): Counts {
  return { ...batch, total_emails: batch.processed_emails };
}

interface BreakdownProps {
  batches: Batch[];
  individuals: ResultRow[];
  /** More is to be had with Show more. */
  partial: boolean;
}

/** The categories over everything that is listed below. */
export function Breakdown({ batches, individuals, partial }: BreakdownProps): ReactNode {
  const counts = batches.map(soFar).reduce(add, countRows(individuals));
  const lists = plural(batches.length, "list");
  return (
    <section className="card" aria-labelledby="breakdown-title">
      <div className="card-head">
        <h2 id="breakdown-title">Overall categories</h2>
        <p className="muted nums">
          {plural(counts.total_emails, "address", "addresses")} in {lists} and{" "}
          {plural(individuals.length, "single check")}
          {partial ? " loaded so far" : ""}
        </p>
      </div>
      <CategorySummary counts={counts} />
    </section>
  );
}
