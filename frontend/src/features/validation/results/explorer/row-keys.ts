// The keys that go through the rows of results while one of them is open.
import { useEffect, useEffectEvent } from "react";

import { isRowKey, listDialogs, readRowStep } from "../../../../lib/row-step";

/** A key is not for the rows while another dialog lies above them. */
function isForRows(event: KeyboardEvent): boolean {
  if (!isRowKey(event)) return false;
  const above = listDialogs().at(-1);
  return above === undefined || above.querySelector("[data-steps]") !== null;
}

interface RowDeeds {
  /** Null where there is no row on that side. */
  back: (() => void) | null;
  on: (() => void) | null;
  close: () => void;
}

function findDeed(event: KeyboardEvent): keyof RowDeeds | null {
  const step = readRowStep(event);
  if (step !== null) return step === 1 ? "on" : "back";
  return event.key === "Escape" ? "close" : null;
}

/** Up and down, or k and j, go through the rows; Escape closes the open one. */
export function useRowKeys(active: boolean, deeds: RowDeeds): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const deed = findDeed(event);
    if (!deed || !isForRows(event)) return;
    event.preventDefault();
    deeds[deed]?.();
  });
  useEffect(() => {
    if (!active) return;
    const listen = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [active]);
}
