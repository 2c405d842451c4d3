import { useState, type ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { Loaded } from "../../../ui/states";
import { ContractTable } from "./contract-table";
import { ContractPager } from "./contract-pager";
import { useContracts } from "./use-contracts";

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
      <Loaded query={contracts} fallback="Failed to load contracts" rows={4}>
        {(found) =>
          found.contracts.length === 0 ? (
            <p className="muted">{none}</p>
          ) : (
            <>
              <ContractTable label={title} contracts={found.contracts} onOpen={onOpen} />
              <ContractPager found={found} page={page} onPage={setPage} />
            </>
          )
        }
      </Loaded>
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
