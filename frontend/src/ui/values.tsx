import type { ReactNode } from "react";

import { formatBothTimes, formatNumber, formatShort, formatTime } from "../lib/format";

/** A moment: relative up to seven days, local and universal time in the tooltip. */
export function Time({ at }: { at: string }): ReactNode {
  return (
    <time dateTime={at} title={formatBothTimes(at)}>
      {formatTime(at)}
    </time>
  );
}

/** A count in its short form, the whole number in the tooltip. */
export function ShortNumber({ value }: { value: number }): ReactNode {
  return (
    <span className="nums" title={formatNumber(value)}>
      {formatShort(value)}
    </span>
  );
}
