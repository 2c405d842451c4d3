import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import type { ReactElement, ReactNode } from "react";

import { isUnreachable, getErrorMessage, getRequestId } from "../lib/errors";
import { Button } from "./button";
import { RefetchButton } from "./refetch-button";
import { TraceEmpty } from "./trace";

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** Says that nothing is wanting, or that nothing matches: the dashed trace is for what has yet to begin. */
  plain?: boolean | undefined;
}

/** Nothing here yet, or nothing matches: says why and offers one action. */
export function EmptyState({ title, children, action, plain = false }: EmptyStateProps): ReactNode {
  return (
    <div className="state">
      {plain ? null : <TraceEmpty />}
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  /** What failed: it is asked again on Retry. */
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
  fallback: string;
  /** Says that nothing else is on the page, which then gets its main heading here. */
  wholePage?: boolean;
}

/** What failed, the reference to quote to support, and another try. */
export function ErrorState({ query, fallback, wholePage = false }: ErrorStateProps): ReactNode {
  const { error } = query;
  const reference = getRequestId(error);
  const Heading = wholePage ? "h1" : "h2";
  return (
    <div className="state" role="alert">
      <CircleAlert size={32} strokeWidth={1.5} aria-hidden />
      <Heading>{getErrorMessage(error, fallback)}</Heading>
      {isUnreachable(error) ? <p>No answer came from the server. Check your connection.</p> : null}
      {reference ? <p className="reference">Reference: {reference}</p> : null}
      <RefetchButton query={query} />
    </div>
  );
}

interface LoadedProps<T> {
  query: ErrorStateProps["query"] & { data: T | undefined };
  fallback: string;
  rows: Rows;
  children: (data: T) => ReactNode;
}

/** What was loaded, or what is of its size until then, or why it failed. */
export function Loaded<T>({ query, fallback, rows, children }: LoadedProps<T>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  return query.error ? <ErrorState query={query} fallback={fallback} /> : <Skeleton rows={rows} />;
}

/** How many rows stand in while something loads, or what else is of its size. */
export type Rows = number | ReactElement;

export function Skeleton({ rows }: { rows: Rows }): ReactNode {
  return typeof rows === "number" ? <SkeletonRows count={rows} /> : rows;
}

/** What screen readers hear while skeletons stand in. */
function LoadingNote(): ReactNode {
  return (
    <p className="visually-hidden" role="status">
      Loading...
    </p>
  );
}

/** Rows of the final size while they load. */
export function SkeletonRows({ count }: { count: number }): ReactNode {
  return (
    <div>
      <LoadingNote />
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton skeleton-row" />
      ))}
    </div>
  );
}

/** Anything of a known size while it loads; the class says which. */
export function SkeletonBlock({ className }: { className: string }): ReactNode {
  return (
    <>
      <LoadingNote />
      <div className={`skeleton ${className}`} />
    </>
  );
}

interface SkeletonGridProps {
  count: number;
  /** The class of what it stands in for. */
  grid?: string;
  /** The class that gives each block its size. */
  block?: string;
}

/** Cards side by side while they load. */
export function SkeletonCards({
  count,
  grid = "cards",
  block = "skeleton-card",
}: SkeletonGridProps): ReactNode {
  return (
    <div className={grid}>
      <LoadingNote />
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={`skeleton ${block}`} />
      ))}
    </div>
  );
}

/** Cards with a figure each, and a report below them, while they load. */
export function SkeletonReport({ figures }: { figures: number }): ReactNode {
  return (
    <div className="stack-4">
      <SkeletonCards count={figures} grid="stat-cards" block="skeleton-figure" />
      <div className="skeleton skeleton-report" />
    </div>
  );
}

/** A page with its heading while it loads. */
export function SkeletonPage(): ReactNode {
  return (
    <div className="stack">
      <div className="skeleton skeleton-head" />
      <SkeletonCards count={3} />
    </div>
  );
}

interface ShowMoreProps {
  pages: {
    error: unknown;
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    fetchNextPage: () => unknown;
  };
  /** What there is more of, where the page has several lists. */
  things?: string;
  /** Beside the button. */
  children?: ReactNode;
}

/** Asks for the next page of a list that grows, while there is one; says when it did not come. */
export function ShowMore({ pages, things = "", children }: ShowMoreProps): ReactNode {
  if (!pages.hasNextPage) return null;
  return (
    <div className="row">
      <Button busy={pages.isFetchingNextPage} changes={false} onClick={() => void pages.fetchNextPage()}>
        {`Show more ${things}`.trim()}
      </Button>
      {pages.isFetchNextPageError ? (
        <span className="field-error" role="alert">
          <CircleAlert size={16} aria-hidden />
          {getErrorMessage(pages.error, "The next page could not be loaded")}
        </span>
      ) : (
        children
      )}
    </div>
  );
}
