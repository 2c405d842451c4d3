import type { ReactNode } from "react";

interface SectionProps {
  /** Of its heading. */
  id: string;
  title: ReactNode;
  /** Below the heading. */
  lead?: ReactNode;
  /** Beside the heading. */
  aside?: ReactNode;
  card?: boolean;
  /** What links to it name it by. */
  anchor?: string;
  /** How it looks besides. */
  className?: string;
  children: ReactNode;
}

function getClass({ card, anchor, className }: SectionProps): string {
  return [card && "card", "stack-4", anchor && "anchor", className].filter(Boolean).join(" ");
}

/** A part of a page below its heading. */
export function Section(props: SectionProps): ReactNode {
  const { id, title, lead, aside, anchor, children } = props;
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={getClass(props)} id={anchor} aria-labelledby={id}>
      {lead === undefined ? null : (
        <div className="stack-1">
          {heading}
          <p className="muted">{lead}</p>
        </div>
      )}
      {aside === undefined ? null : (
        <div className="row row-between">
          {heading}
          {aside}
        </div>
      )}
      {lead === undefined && aside === undefined ? heading : null}
      {children}
    </section>
  );
}
