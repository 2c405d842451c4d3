import { useState, type ReactNode } from "react";

import { formatNumber } from "../../lib/format";
import { Button } from "../../ui/button";

const SHOWN = 10;

interface ShortenedListProps<Row> {
  rows: readonly Row[];
  children: (rows: readonly Row[]) => ReactNode;
  /** The way to further pages, once all rows of this one are shown. */
  pages: ReactNode;
}

/** The first rows of a long list, among other lists on one page; the rest comes at a press. */
export function ShortenedList<Row>({ rows, children, pages }: ShortenedListProps<Row>): ReactNode {
  const [all, setAll] = useState(false);
  const cut = !all && rows.length > SHOWN;
  return (
    <>
      {children(cut ? rows.slice(0, SHOWN) : rows)}
      {cut ? (
        <div className="row">
          <Button onClick={() => setAll(true)}>Show all {formatNumber(rows.length)}</Button>
        </div>
      ) : (
        pages
      )}
    </>
  );
}
