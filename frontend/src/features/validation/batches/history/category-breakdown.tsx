import type { ReactNode } from "react";

import type { Overview } from "../../../../api/types";
import { formatCount } from "../../../../lib/format";
import { useOverview } from "../../analytics/use-overview";
import { CategorySummary, type CategoryCounts } from "../../../../ui/counts";
import { ErrorState, SkeletonBlock } from "../../../../ui/states";

function getCounts({ category_breakdown: by, total_validations }: Overview): CategoryCounts {
  return {
    total_emails: total_validations,
    valid_count: by.valid,
    invalid_count: by.invalid,
    unknown_count: by.unknown,
    catch_all_count: by.catch_all,
    disposable_count: by.disposable,
    spam_trap_count: by.spam_trap,
  };
}

/** The categories over everything that was ever checked; what is pressed narrows the history to it. */
export function CategoryBreakdown({ category }: { category: string }): ReactNode {
  const overview = useOverview();
  if (!overview.data && overview.error)
    return <ErrorState query={overview} fallback="Failed to load dashboard data" />;
  return (
    <section className="card" aria-labelledby="breakdown-title">
      <div className="card-head">
        <h2 id="breakdown-title">Overall categories</h2>
        <p className="muted nums">
          {overview.data
            ? `${formatCount(overview.data.total_validations, "address", "addresses")} checked in all`
            : ""}
        </p>
      </div>
      {overview.data ? (
        <CategorySummary counts={getCounts(overview.data)} rows={{ current: { category } }} />
      ) : (
        <SkeletonBlock className="skeleton-counts" />
      )}
    </section>
  );
}
