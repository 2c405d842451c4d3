import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { StaleNote } from "../../../ui/stale-note";
import { Skeleton, type Rows } from "../../../ui/states";

interface LiveCardProps<T> {
  id: string;
  title: string;
  query: UseQueryResult<T>;
  fallback: string;
  rows: Rows;
  /** Beside the title. */
  aside?: ReactNode;
  children: (data: T) => ReactNode;
}

/** A card that keeps the last real values when a load fails, says so and offers another try. */
export function LiveCard<T>({
  id,
  title,
  query,
  fallback,
  rows,
  aside,
  children,
}: LiveCardProps<T>): ReactNode {
  const { data, error } = query;
  return (
    <section className="card stack-4" aria-labelledby={id}>
      <div className="monitor-card-head">
        <h3 id={id} className="grow">
          {title}
        </h3>
        {aside}
      </div>
      <StaleNote query={query} fallback={fallback} />
      {data === undefined ? null : children(data)}
      {data === undefined && !error ? <Skeleton rows={rows} /> : null}
    </section>
  );
}
