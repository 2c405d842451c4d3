import type { ReactElement, ReactNode } from "react";

import { Button } from "../button";
import { LiveView } from "../live-view";
import type { LiveQuery } from "../stale-note";
import { SkeletonRows, type Rows } from "../states";
import { DataTable, type DataTableProps } from "./data-table";
import { ListRows, NothingHere, type Nothing } from "./list-rows";
import { ShortenedList } from "./shortened-list";
import type { Narrowing } from "./use-table-view";

interface QueryRowsProps<Found, Row> {
  query: LiveQuery & { data: Found | undefined; isPlaceholderData?: boolean };
  /** What failed, where the server does not say why. */
  fallback: string;
  /** What stands in while they load. */
  skeleton: Rows;
  pick: (found: Found) => readonly Row[];
  /** Said where there are no rows, and where the filters leave none. */
  empty: Nothing;
  noMatch?: { title: string; text?: ReactNode; action?: string };
  view?: Narrowing & { cursors?: readonly string[] };
  above?: (found: Found) => ReactNode;
  foot?: (found: Found) => ReactNode;
  /** Says that rows after the tenth come at a press. */
  shortened?: boolean;
}

type NoRowsProps = Pick<QueryRowsProps<never, never>, "empty" | "noMatch" | "view">;

function NoRows({ empty, noMatch, view }: NoRowsProps): ReactNode {
  if (!noMatch || !view?.filtered) return <NothingHere nothing={empty} />;
  const action = <Button onClick={view.clear}>{noMatch.action ?? "Clear filters"}</Button>;
  return <NothingHere nothing={{ title: noMatch.title, text: noMatch.text, action, plain: true }} />;
}

/** Rows of the server in whatever shape: while they load, when they cannot be, where there are none. */
export function QueryRows<Found, Row>(
  props: QueryRowsProps<Found, Row> & { children: (rows: readonly Row[], foot: ReactNode) => ReactNode },
): ReactNode {
  const { query, fallback, skeleton, pick, above, foot, view, shortened, children } = props;
  return (
    <LiveView query={query} fallback={fallback} rows={skeleton}>
      {(found) => {
        const rows = pick(found);
        const pages = foot?.(found);
        return (
          <>
            {above?.(found)}
            {rows.length === 0 ? (
              <>
                <NoRows {...props} />
                {view?.cursors?.length ? pages : null}
              </>
            ) : shortened ? (
              <ShortenedList rows={rows} pages={pages}>
                {children}
              </ShortenedList>
            ) : (
              children(rows, pages)
            )}
          </>
        );
      }}
    </LiveView>
  );
}

type QueryTableProps<Found, Row> = QueryRowsProps<Found, Row> &
  Omit<DataTableProps<Row>, "rows" | "empty" | "foot" | "busy">;

function SkeletonTable({ rows }: { rows: number }): ReactNode {
  return (
    <div className="table-frame">
      <SkeletonRows count={rows} />
    </div>
  );
}

/** A table of the server's rows, with the same states everywhere. */
export function QueryTable<Found, Row>(props: QueryTableProps<Found, Row>): ReactNode {
  const { query, skeleton } = props;
  const bars = typeof skeleton === "number" ? <SkeletonTable rows={skeleton} /> : skeleton;
  return (
    <QueryRows {...props} skeleton={bars}>
      {(rows, foot) => <DataTable {...props} rows={rows} foot={foot} busy={query.isPlaceholderData} />}
    </QueryRows>
  );
}

type QueryListProps<Found, Row> = QueryRowsProps<Found, Row> & {
  /** The class of the list. */
  className?: string;
  /** A row as an item of it, with its key. */
  item: (row: Row, index: number) => ReactElement;
};

/** A list of the server's rows that is no table. */
export function QueryList<Found, Row>({
  className = "list-rows",
  item,
  ...rest
}: QueryListProps<Found, Row>): ReactNode {
  return (
    <QueryRows {...rest}>
      {(rows, foot) => (
        <>
          <ListRows rows={rows} className={className} item={item} />
          {foot}
        </>
      )}
    </QueryRows>
  );
}
