import type { ComponentProps, ReactNode } from "react";

/** A button that looks like a link. */
export function LinkButton({ className = "link", ...rest }: ComponentProps<"button">): ReactNode {
  return <button type="button" className={className} {...rest} />;
}
