import { useState, type ReactNode } from "react";

import { Button } from "../../ui/button";

/** The cursors of the pages behind the current one; another filter begins anew. */
export function usePages(filter: string): [string[], (cursors: string[]) => void] {
  const [cursors, setCursors] = useState<string[]>([]);
  const [seen, setSeen] = useState(filter);
  if (seen === filter) return [cursors, setCursors];
  setSeen(filter);
  setCursors([]);
  return [[], setCursors];
}

interface PageButtonsProps {
  next: string | null;
  cursors: readonly string[];
  onChange: (cursors: string[]) => void;
  /** What the two buttons say; lists that are not in the order of time have no older page. */
  words?: readonly [string, string];
}

/** To the page before and the page behind, where there is one. */
export function PageButtons({
  next,
  cursors,
  onChange,
  words = ["Newer", "Older"],
}: PageButtonsProps): ReactNode {
  if (next === null && cursors.length === 0) return null;
  const [back, on] = words;
  return (
    <div className="row">
      <Button disabled={cursors.length === 0} onClick={() => onChange(cursors.slice(0, -1))}>
        {back}
      </Button>
      <Button
        disabled={next === null}
        onClick={() => onChange(next === null ? [...cursors] : [...cursors, next])}
      >
        {on}
      </Button>
    </div>
  );
}
