import type { ComponentProps, MouseEvent, ReactNode } from "react";

import { buildAddress, useUrlState, type Change } from "../lib/url-state";

/** A press for a new tab or window is the browser's. */
export function isPlainPress({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return !(ctrlKey || metaKey || shiftKey || altKey);
}

interface UrlLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  change: Change;
}

/** A link to this page with another query, followed without loading it anew. */
export function UrlLink({ change, children, ...link }: UrlLinkProps): ReactNode {
  const [, setUrl] = useUrlState();
  return (
    <a
      {...link}
      href={buildAddress(change)}
      onClick={(event) => {
        if (!isPlainPress(event)) return;
        event.preventDefault();
        setUrl(change);
      }}
    >
      {children}
    </a>
  );
}
