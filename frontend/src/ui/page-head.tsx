import type { ReactNode } from "react";

interface PageHeadProps {
  title: ReactNode;
  lead: ReactNode;
  /** The one primary action, at the right. */
  action?: ReactNode;
}

export function PageHead({ title, lead, action }: PageHeadProps): ReactNode {
  return (
    <div className="page-head">
      <div>
        <h1>{title}</h1>
        <div className="lead">{lead}</div>
      </div>
      {action}
    </div>
  );
}
