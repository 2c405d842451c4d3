import { useState, type ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { NumberedPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { CONTRACT_TABLE } from "./contract-table";
import { PAGE_SIZE, useContracts } from "./use-contracts";

type Alert = "expiring_soon" | "renewal_opportunities";

interface SectionProps {
  alert: Alert;
  title: string;
  lead: string;
  none: string;
  onOpen: (contract: Contract) => void;
}

function Section({ alert, title, lead, none, onOpen }: SectionProps): ReactNode {
  const [page, setPage] = useState(1);
  const contracts = useContracts({ alert, page });
  return (
    <section className="stack-4" aria-labelledby={alert}>
      <div className="stack-1">
        <h2 id={alert}>{title}</h2>
        <p className="muted">{lead}</p>
      </div>
      <QueryTable
        {...CONTRACT_TABLE}
        label={title}
        query={contracts}
        skeleton={4}
        empty={{ title: none, plain: true }}
        onOpen={onOpen}
        foot={({ contracts: { length }, total }) => (
          <NumberedPager
            view={{ page, setPage }}
            size={PAGE_SIZE}
            shown={length}
            total={total}
            thing="contract"
          />
        )}
      />
    </section>
  );
}

/** The view Renewal Alerts. */
export function Renewals({ onOpen }: { onOpen: (contract: Contract) => void }): ReactNode {
  return (
    <div className="stack">
      <Section
        alert="expiring_soon"
        title="Expiring Soon"
        lead="They end within 30 days."
        none="No contract ends within 30 days."
        onOpen={onOpen}
      />
      <Section
        alert="renewal_opportunities"
        title="Renewal Opportunities"
        lead="They are worth more than $20,000 and were not cancelled; those that end first come first."
        none="No contract is worth more than $20,000."
        onOpen={onOpen}
      />
    </div>
  );
}
