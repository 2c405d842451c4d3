import { useState, type ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { Button } from "../button";

const SHOWN = 10;

interface ShortenedListProps<Row> {
  rows: readonly Row[];
  children: (rows: readonly Row[], foot: ReactNode) => ReactNode;
  /** The way to further pages, once all rows of this one are shown. */
  pages: ReactNode;
}

/** The first rows of a long list, among other lists on one page; the rest comes at a press. */
export function ShortenedList<Row>({ rows, children, pages }: ShortenedListProps<Row>): ReactNode {
  const [all, setAll] = useState(false);
  if (all || rows.length <= SHOWN) return children(rows, pages);
  const more = (
    <div className="pager">
      <Button onClick={() => setAll(true)}>Show all {formatNumber(rows.length)}</Button>
    </div>
  );
  return children(rows.slice(0, SHOWN), more);
}
