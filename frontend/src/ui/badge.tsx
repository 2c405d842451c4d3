import type { ReactNode } from "react";

import type { Shape } from "./glyph";

/** How something stands: in words, by colour and by shape. */
export type Look = readonly [words: string, tone: string, Icon: Shape];

interface BadgeProps {
  /** The shape may be left out where the words say it all. */
  look: readonly [words: string, tone: string, Icon?: Shape];
  large?: boolean | undefined;
}

/** How something stands. */
export function Badge({ look: [words, tone, Icon], large = false }: BadgeProps): ReactNode {
  return (
    <span className={`badge tone-${tone}${large ? " badge-large" : ""}`}>
      {Icon ? <Icon size={16} aria-hidden /> : null}
      {words}
    </span>
  );
}
