import { useEffect, useEffectEvent, useRef } from "react";

import type { ResultRow, ResultsPage } from "../../../../api/types";
import { useUrlState } from "../../../../lib/url-state";
import { useRowKeys } from "./row-keys";
import type { View } from "./use-results";

/** What the address says while a page is on its way whose first or last row is to be opened. */
const ENDS = { first: 0, last: -1 } as const;

function isEnd(named: string | null): named is keyof typeof ENDS {
  return named !== null && Object.hasOwn(ENDS, named);
}

/** The id that the address names, if it can be one. */
export function readRowId(named: string | null): string | null {
  return named !== null && !isEnd(named) && /^\w{1,40}$/.test(named) ? named : null;
}

function findRow(id: string): Element | null {
  return document.querySelector(`tr[data-row="${id}"]`);
}

/** The open row is brought into sight; closed, it gets the focus back. */
function useRowInSight(id: string | null, active: boolean): void {
  const last = useRef(id);
  useEffect(() => {
    const row = findRow(id ?? last.current ?? "");
    row?.scrollIntoView({ block: "nearest" });
    if (!active) row?.querySelector<HTMLElement>(".row-open")?.focus({ preventScroll: true });
    last.current = id;
  }, [id, active]);
}

type Step = (() => void) | null;
const NO_PAGE: Pick<ResultsPage, "results" | "next_cursor"> = { results: [], next_cursor: null };

type Pages = Pick<View, "goOn" | "turnBack">;

/** The ways from a row to those above and below, also over the end of its page; null where there is none. */
export function findSteps(
  id: string | null,
  page: ResultsPage | undefined,
  { goOn, turnBack }: Pages,
  open: (row: ResultRow) => void,
): { back: Step; on: Step } {
  const { results, next_cursor: next } = page ?? NO_PAGE;
  const index = results.findIndex((row) => row.id === id);
  if (index === -1) return { back: null, on: null };
  const toRow = (row: ResultRow | undefined): Step => (row ? () => open(row) : null);
  const before: Step = turnBack && (() => turnBack({ row: "last" }));
  const behind: Step = next === null ? null : () => goOn(next, { row: "first" });
  return {
    back: toRow(results.slice(0, index).at(-1)) ?? before,
    on: toRow(results[index + 1]) ?? behind,
  };
}

/** The row that is open beside the results: it is in the address, so that reload and the back button keep it. */
export function useInspector(view: View, page: ResultsPage | undefined) {
  const [url, setUrl] = useUrlState();
  const named = url.get("row");
  const id = readRowId(named);
  const active = id !== null || isEnd(named);
  const open = (row: ResultRow) => setUrl({ row: row.id });
  const follow = (row: ResultRow) => setUrl({ row: row.id }, "replace");
  const close = () => setUrl({ row: null });
  const steps = findSteps(id, page, view, follow);

  const end = isEnd(named) ? page?.results.at(ENDS[named]) : undefined;
  const arrive = useEffectEvent(follow);
  useEffect(() => {
    if (end) arrive(end);
  }, [end]);
  useRowInSight(id, active);
  useRowKeys(active, { ...steps, close });
  return { id, active, open, close, ...steps };
}

export type Inspector = ReturnType<typeof useInspector>;
