import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Empty } from "../../ui/states";

interface ComingProps {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
}

/** A tab whose subject does not exist yet, and says so. */
export function Coming({ icon, title, children }: ComingProps): ReactNode {
  return (
    <section className="card" aria-label={title}>
      <Empty icon={icon} title={title}>
        {children}
      </Empty>
    </section>
  );
}
