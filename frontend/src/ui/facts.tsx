import type { ReactNode } from "react";

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  facts: readonly Fact[];
  className?: string;
  /** Facts that look otherwise. */
  children?: ReactNode;
}

/** What is known of something, by name. */
export function Facts({ facts, className = "facts", children }: FactsProps): ReactNode {
  return (
    <dl className={className}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      {children}
    </dl>
  );
}
