import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import { useEffect, useRef, type ComponentProps, type ReactNode } from "react";

import { formatNumber } from "../lib/format";
import { readRowStep } from "../lib/row-step";
import type { OpenRecord } from "../lib/use-record";
import { IconButton } from "./button";
import { Dialog } from "./dialog";

/** What a list marks a row's button with, so that the focus finds it again. */
function findRowButton(id: string): HTMLElement | null {
  const marks = [...document.querySelectorAll<HTMLElement>("[data-record]")];
  const mark = marks.find(({ dataset }) => dataset.record === id);
  return mark?.closest<HTMLElement>("button, a") ?? null;
}

interface Way {
  /** Null at the ends of the list, and for a record that is not in it. */
  previous: string | null;
  next: string | null;
  /** From 1 on; 0 for a record that is not in the list. */
  place: number;
}

/** The records beside one, in the rows that are loaded. */
export function findWay(id: string, ids: readonly string[]): Way {
  const at = ids.indexOf(id);
  if (at === -1) return { previous: null, next: null, place: 0 };
  return { previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null, place: at + 1 };
}

interface StepsProps {
  way: Way;
  count: number;
  onMove: (id: string) => void;
}

/** The buttons and the keys that lead to the record before and the one after. */
function RecordSteps({ way, count, onMove }: StepsProps): ReactNode {
  const steps = useRef<HTMLDivElement>(null);
  const { previous, next, place } = way;
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      const dialog = event.target instanceof Element ? event.target.closest('[role="dialog"]') : null;
      const step = dialog?.contains(steps.current) ? readRowStep(event) : null;
      const to = step === null ? null : step === 1 ? next : previous;
      if (to === null) return;
      event.preventDefault();
      onMove(to);
    };
    document.addEventListener("keydown", move);
    return () => document.removeEventListener("keydown", move);
  });
  if (place === 0) return null;
  return (
    <div ref={steps} className="record-steps">
      <span className="muted small nums" aria-live="polite">
        {formatNumber(place)} of {formatNumber(count)}
      </span>
      <IconButton
        label="Previous"
        aria-keyshortcuts="k ArrowUp"
        aria-disabled={previous === null}
        onClick={() => (previous === null ? null : onMove(previous))}
      >
        <ChevronUp size={20} aria-hidden />
      </IconButton>
      <IconButton
        label="Next"
        aria-keyshortcuts="j ArrowDown"
        aria-disabled={next === null}
        onClick={() => (next === null ? null : onMove(next))}
      >
        <ChevronDown size={20} aria-hidden />
      </IconButton>
    </div>
  );
}

/** A record that is open, and the rows around it. */
export interface RecordPlace {
  id: string;
  /** Of the rows that are loaded, in their order. */
  ids: readonly string[];
  record: Pick<OpenRecord, "move" | "close">;
}

interface RecordDrawerProps extends Omit<ComponentProps<typeof Dialog>, "record" | "onClose" | "wide"> {
  place: RecordPlace;
}

/** One record of a list, beside it: the next one is a key away, and the focus goes back to the row of the last one. */
export function RecordDrawer({ place: { id, ids, record }, ...dialog }: RecordDrawerProps): ReactNode {
  const steps = <RecordSteps way={findWay(id, ids)} count={ids.length} onMove={record.move} />;
  return <Dialog {...dialog} record={{ steps, findRow: () => findRowButton(id) }} onClose={record.close} />;
}
