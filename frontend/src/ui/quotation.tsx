import type { ReactNode } from "react";

import { CopyButton } from "./copy-button";

interface QuotationProps {
  /** What the server answered, word for word. */
  words: string;
  /** The verdict, whose colour the rule beside it has. */
  tone: string;
  /** Who said it, after how long, when. */
  byline: ReactNode;
  /** Says that it came just now: it fades in after the trace. */
  fresh?: boolean;
}

/** The answer that decided, in the server's own words. Never more than one in a view. */
export function Quotation({ words, tone, byline, fresh = false }: QuotationProps): ReactNode {
  return (
    <figure className={`quotation tone-${tone}${fresh ? " quotation-fresh" : ""}`}>
      <blockquote>{words}</blockquote>
      <figcaption>
        <span className="quotation-by">{byline}</span>
        <CopyButton text={words} label="Copy reply" />
      </figcaption>
    </figure>
  );
}
