import CalendarCheck from "lucide-react/icons/calendar-check";
import { useState, type ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { NumberedPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { CONTRACT_TABLE } from "./contract-table";
import { PAGE_SIZE, useContracts } from "./use-contracts";
import { Section } from "../../../ui/section";

type Alert = "expiring_soon" | "renewal_opportunities";

interface RenewalListProps {
  alert: Alert;
  title: string;
  lead: string;
  none: string;
  onOpen: (contract: Contract) => void;
}

function RenewalList({ alert, title, lead, none, onOpen }: RenewalListProps): ReactNode {
  const [page, setPage] = useState(1);
  const contracts = useContracts({ alert, page });
  return (
    <Section id={alert} title={title} lead={lead}>
      <QueryTable
        {...CONTRACT_TABLE}
        label={title}
        query={contracts}
        skeleton={4}
        empty={{ icon: CalendarCheck, title: none }}
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
    </Section>
  );
}

/** The view Renewal Alerts. */
export function Renewals({ onOpen }: { onOpen: (contract: Contract) => void }): ReactNode {
  return (
    <div className="stack">
      <RenewalList
        alert="expiring_soon"
        title="Expiring Soon"
        lead="They end within 30 days."
        none="No contract ends within 30 days."
        onOpen={onOpen}
      />
      <RenewalList
        alert="renewal_opportunities"
        title="Renewal Opportunities"
        lead="They are worth more than $20,000 and were not cancelled; those that end first come first."
        none="No contract is worth more than $20,000."
        onOpen={onOpen}
      />
    </div>
  );
}
