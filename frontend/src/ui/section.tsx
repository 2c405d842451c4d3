import type { ReactNode } from "react";

interface SectionProps {
  /** Of its heading. */
  id: string;
  title: ReactNode;
  /** Beside the heading. */
  aside?: ReactNode;
  card?: boolean;
  /** What links to it name it by. */
  anchor?: string;
  /** How it looks besides. */
  className?: string;
  children: ReactNode;
}

/** A part of a page below its heading. */
export function Section({ id, title, aside, card, anchor, className, children }: SectionProps): ReactNode {
  const classes = [card && "card", "stack-4", anchor && "anchor", className];
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={classes.filter(Boolean).join(" ")} id={anchor} aria-labelledby={id}>
      {aside === undefined ? (
        heading
      ) : (
        <div className="row row-between">
          {heading}
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}
