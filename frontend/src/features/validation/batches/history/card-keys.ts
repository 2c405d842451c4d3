// The keys that go from one card of History to the next.
import { useEffect } from "react";

import { listDialogs, readRowStep } from "../../../../lib/row-step";

/** What opens each card, in their order. */
function listOpeners(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".batch-card .batch-actions > :first-child")];
}

/** The opener a step away from the card that has the focus; arrows scroll the page until one has. */
function findOpener({ key }: KeyboardEvent, step: -1 | 1): HTMLElement | undefined {
  const openers = listOpeners();
  const card = document.activeElement?.closest(".batch-card") ?? null;
  if (card === null) return key.startsWith("Arrow") ? undefined : openers.at(step === 1 ? 0 : -1);
  return openers[openers.findIndex((opener) => card.contains(opener)) + step];
}

/** Up and down, or k and j, go from card to card; Enter opens the one that has the focus. */
export function useCardKeys(): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const step = readRowStep(event);
      if (step === null || listDialogs().length > 0) return;
      const opener = findOpener(event, step);
      if (!opener) return;
      event.preventDefault();
      opener.focus();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
