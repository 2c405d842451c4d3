import type { ComponentProps, ReactNode } from "react";

import { isPlainPress } from "../lib/address-bar";
import { buildAddress, useUrlState, type Change } from "../lib/url-state";

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
