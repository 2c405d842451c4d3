import { useEffect, useRef } from "react";

/**
 * Keeps the focus on the page when a pressed button goes with its row, as after a deletion: it moves to the element of
 * this id. A dialog gives the focus back by itself where what opened it is still there.
 */
export function useFocusFallback(id: string): void {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const hear = ({ target }: FocusEvent) => {
      if (target instanceof Element && !target.closest('[role="dialog"]')) last.current = target;
    };
    document.addEventListener("focusin", hear);
    return () => document.removeEventListener("focusin", hear);
  }, []);
  useEffect(() => {
    if (last.current?.isConnected !== false || document.activeElement !== document.body) return;
    last.current = null;
    document.getElementById(id)?.focus();
  });
}
