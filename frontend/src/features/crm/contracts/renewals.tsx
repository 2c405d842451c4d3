import { useState, type ReactNode } from "react";

import { useRecord, type OpenRecord } from "../../../lib/use-record";
import { NumberedPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { ContractDrawer } from "./contract-drawer";
import { CONTRACT_TABLE } from "./contract-table";
import { PAGE_SIZE, useContracts } from "./use-contracts";

function useAlerts(alert: "expiring_soon" | "renewal_opportunities") {
  const [page, setPage] = useState(1);
  return { alert, page, setPage, contracts: useContracts({ alert, page }) };
}

interface SectionProps {
  alerts: ReturnType<typeof useAlerts>;
  title: string;
  lead: string;
  none: string;
  record: OpenRecord;
}

function Section({ alerts, title, lead, none, record }: SectionProps): ReactNode {
  const { alert, contracts, page, setPage } = alerts;
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
        onOpen={({ id }) => record.open(id)}
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
export function Renewals(): ReactNode {
  const record = useRecord("contract");
  const expiring = useAlerts("expiring_soon");
  const worthy = useAlerts("renewal_opportunities");
  const rows = [expiring, worthy].flatMap(({ contracts }) => contracts.data?.contracts ?? []);
  return (
    <div className="stack">
      <Section
        alerts={expiring}
        title="Expiring Soon"
        lead="They end within 30 days."
        none="No contract ends within 30 days."
        record={record}
      />
      <Section
        alerts={worthy}
        title="Renewal Opportunities"
        lead="They are worth more than $20,000 and were not cancelled; those that end first come first."
        none="No contract is worth more than $20,000."
        record={record}
      />
      <ContractDrawer record={record} rows={rows} />
    </div>
  );
}
