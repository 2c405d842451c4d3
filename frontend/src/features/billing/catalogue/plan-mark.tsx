import type { ReactNode } from "react";

const BARS = [0, 1, 2, 3];

/** How far up the list of plans one stands, without a colour: colours are for verdicts. */
export function PlanMark({ rank }: { rank: number }): ReactNode {
  return (
    <svg className="plan-mark" width="16" height="16" viewBox="0 0 16 16" aria-hidden>
      {BARS.map((bar) => (
        <rect
          key={bar}
          x={1 + 4 * bar}
          y={11 - 3 * bar}
          width="2.5"
          height={4 + 3 * bar}
          opacity={bar <= rank ? 1 : 0.25}
        />
      ))}
    </svg>
  );
}
