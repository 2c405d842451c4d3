import type { ReactElement, ReactNode } from "react";

import { EmptyState } from "../states";

/** Said where there are no rows. */
export interface Nothing {
  title: string;
  text?: ReactNode;
  action?: ReactNode;
  /** Says that nothing is wanting: there is nothing to begin. */
  plain?: boolean;
}

export function NothingHere({ nothing: { text, ...nothing } }: { nothing: Nothing }): ReactNode {
  return <EmptyState {...nothing}>{text}</EmptyState>;
}

interface ListRowsProps<Row> {
  rows: readonly Row[];
  /** Said where it may be empty. */
  empty?: Nothing;
  className?: string;
  /** A row as an item of it, with its key. */
  item: (row: Row, index: number) => ReactElement;
}

/** A list, or why it is empty. */
export function ListRows<Row>({ rows, empty, className = "list-rows", item }: ListRowsProps<Row>): ReactNode {
  if (rows.length === 0 && empty) return <NothingHere nothing={empty} />;
  return <ul className={className}>{rows.map(item)}</ul>;
}
