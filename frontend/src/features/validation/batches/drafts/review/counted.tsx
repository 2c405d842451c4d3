import type { ReactNode } from "react";

/** A figure that the last choice may change: what it was is not shown meanwhile. */
export function Counted({ busy, children }: { busy: boolean; children: ReactNode }): ReactNode {
  return busy ? <span className="muted">Counting…</span> : children;
}
