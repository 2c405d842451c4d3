import type { ReactNode } from "react";

interface SectionProps {
  /** Of its heading. */
  id: string;
  title: ReactNode;
  /** Beside the heading. */
  aside?: ReactNode;
  card?: boolean;
  children: ReactNode;
}

/** A part of a page below its heading. */
export function Section({ id, title, aside, card = false, children }: SectionProps): ReactNode {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section className={card ? "card stack-4" : "stack-4"} aria-labelledby={id}>
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
