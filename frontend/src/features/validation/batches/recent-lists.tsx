import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { Batch } from "../../../api/types";
import { formatCount } from "../../../lib/format";
import { ResultBar } from "../../../ui/progress";
import { Section } from "../../../ui/section";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { BatchBadge } from "../../../ui/status-badge";
import { TraceEmpty } from "../../../ui/trace";
import { Time } from "../../../ui/values";
import { loadNewestLists, RECENT_LISTS } from "../calls";
import { getBatchTitle } from "../results/exports";
import { hasEnded } from "./progress/list-stage";

const SHOWN = 5;

/** How far a list is that still runs says the one that follows it; here it would be out of date. */
function Outcome({ batch }: { batch: Batch }): ReactNode {
  if (!hasEnded(batch.status)) return null;
  const label = formatCount(batch.total_emails, "address", "addresses");
  return <ResultBar counts={batch} total={batch.total_emails} label={label} thin />;
}

function RecentList({ batch }: { batch: Batch }): ReactNode {
  const title = getBatchTitle(batch);
  return (
    <li className="recent">
      <a className="recent-name" href={`/dashboard/batch/${batch.batch_id}`} title={title}>
        {title}
      </a>
      <BatchBadge status={batch.status} />
      <Outcome batch={batch} />
      <span className="muted small">
        <Time at={batch.created_at} />
      </span>
    </li>
  );
}

/** The lists that were started last, but the one that is being followed above. */
export function RecentLists({ followed }: { followed: string | null }): ReactNode {
  const recent = useQuery({ queryKey: RECENT_LISTS, queryFn: loadNewestLists });
  const lists = recent.data?.filter(({ batch_id: id }) => id !== followed).slice(0, SHOWN);
  return (
    <Section id="recent-title" title="Recent lists" aside={<a href="/dashboard?tab=history">See all</a>}>
      {recent.isError ? <ErrorState query={recent} fallback="Your lists could not be loaded" /> : null}
      {recent.isPending ? <SkeletonRows count={3} /> : null}
      {lists?.length === 0 ? (
        <div className="stack-2">
          <TraceEmpty />
          <p className="muted">No list has been asked about yet. What you validate is found here.</p>
        </div>
      ) : null}
      {lists && lists.length > 0 ? (
        <ul>
          {lists.map((batch) => (
            <RecentList key={batch.batch_id} batch={batch} />
          ))}
        </ul>
      ) : null}
    </Section>
  );
}
