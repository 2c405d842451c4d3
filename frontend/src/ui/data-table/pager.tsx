import type { ReactNode } from "react";

import { formatCount, formatNumber } from "../../lib/format";
import { Button } from "../button";
import type { CursorView } from "./use-table-view";

type Step = (() => void) | null;

interface PagerProps {
  /** How many rows there are, or which of them are shown. */
  children?: ReactNode;
  /** To the page before and the page behind; null where there is none. */
  back: Step;
  on: Step;
  words?: readonly [back: string, on: string];
}

/** A button that keeps the focus when there is no further page. */
function StepButton({ step, word }: { step: Step; word: string }): ReactNode {
  return (
    <Button aria-disabled={step === null ? true : undefined} onClick={() => step?.()}>
      {word}
    </Button>
  );
}

/** Which rows are shown, and the way to the others. */
export function Pager({ children, back, on, words = ["Previous", "Next"] }: PagerProps): ReactNode {
  const alone = back === null && on === null;
  if (alone && children === undefined) return null;
  return (
    <div className="pager" role="group" aria-label="Pages">
      <span>{children}</span>
      {alone ? null : (
        <div className="row">
          <StepButton step={back} word={words[0]} />
          <StepButton step={on} word={words[1]} />
        </div>
      )}
    </div>
  );
}

/** What the buttons say where the newest comes first. */
export const BY_TIME = ["Newer", "Older"] as const;

interface CursorPagerProps extends Pick<PagerProps, "words"> {
  view: CursorView;
  next: string | null;
  /** How many rows there are, and what a row is, where that is said. */
  total?: number;
  thing?: string;
}

/** Pages that are asked for by cursor. */
export function CursorPager({ view, next, total = 0, thing, ...rest }: CursorPagerProps): ReactNode {
  const { cursors, setCursors } = view;
  return (
    <Pager
      {...rest}
      back={cursors.length === 0 ? null : () => setCursors(cursors.slice(0, -1))}
      on={next === null ? null : () => setCursors([...cursors, next])}
    >
      {thing === undefined ? undefined : formatCount(total, thing)}
    </Pager>
  );
}

interface NumberedPagerProps {
  view: { page: number; setPage: (page: number) => void };
  /** How many rows a page has, how many this one has, and how many there are. */
  size: number;
  shown: number;
  total: number;
  /** What a row is: "user". */
  thing: string;
}

/** Pages that are asked for by number. */
export function NumberedPager({ view, size, shown, total, thing }: NumberedPagerProps): ReactNode {
  const { page, setPage } = view;
  const before = (page - 1) * size;
  const range = `${formatNumber(before + 1)}–${formatNumber(before + shown)} of `;
  return (
    <Pager
      back={page === 1 ? null : () => setPage(page - 1)}
      on={before + shown >= total ? null : () => setPage(page + 1)}
    >
      {total > size ? range : ""}
      {formatCount(total, thing)}
    </Pager>
  );
}
