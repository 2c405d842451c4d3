import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { messageOf, requestIdOf } from "../lib/errors";
import { Button } from "./button";

interface EmptyProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Nothing here yet, or nothing matches: says why and offers one action. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps): ReactNode {
  return (
    <div className="state">
      <Icon size={32} strokeWidth={1.5} aria-hidden />
      <h2>{title}</h2>
      {children ? <p>{children}</p> : null}
      {action}
    </div>
  );
}

interface ErrorStateProps {
  error: unknown;
  fallback: string;
  onRetry: () => void;
}

/** What failed, the reference to quote to support, and another try. */
export function ErrorState({ error, fallback, onRetry }: ErrorStateProps): ReactNode {
  const reference = requestIdOf(error);
  return (
    <div className="state" role="alert">
      <CircleAlert size={32} strokeWidth={1.5} aria-hidden />
      <h2>{messageOf(error, fallback)}</h2>
      {reference ? <p className="reference">Reference: {reference}</p> : null}
      <Button onClick={onRetry}>Retry</Button>
    </div>
  );
}

/** Rows of the final size while they load. */
export function SkeletonRows({ count }: { count: number }): ReactNode {
  return (
    <div aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton skeleton-row" />
      ))}
    </div>
  );
}

export function SkeletonCards({ count }: { count: number }): ReactNode {
  return (
    <div className="cards" aria-hidden>
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className="skeleton skeleton-card" />
      ))}
    </div>
  );
}
