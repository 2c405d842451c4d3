import CircleHelp from "lucide-react/icons/circle-question-mark";
import type { ReactNode } from "react";

interface FigureProps {
  name: string;
  /** How it is worked out, in the tooltip. */
  hint?: string;
  /** What stands below it. */
  note?: ReactNode;
  children: ReactNode;
}

/** A card with one figure. */
export function Figure({ name, hint, note, children }: FigureProps): ReactNode {
  return (
    <div className="card stat-card">
      <dt>
        {name}
        {hint ? (
          <span className="stat-hint" role="img" aria-label={hint} title={hint}>
            <CircleHelp size={14} aria-hidden />
          </span>
        ) : null}
      </dt>
      <dd>{children}</dd>
      {note ? <dd className="stat-note">{note}</dd> : null}
    </div>
  );
}
