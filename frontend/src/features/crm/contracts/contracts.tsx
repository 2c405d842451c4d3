import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";

import type { Contracts as Found } from "../../../api/types";
import { useRecord } from "../../../lib/use-record";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { NumberedPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { ContractDrawer } from "./contract-drawer";
import { NewContract } from "./contract-form";
import { CONTRACT_TABLE } from "./contract-table";
import { PAGE_SIZE, useContracts, useContractsView } from "./use-contracts";
import { DialogButton } from "../../../ui/dialog-button";
import { Section } from "../../../ui/section";

function hasContracts({ counts }: Found): boolean {
  return Object.values(counts).some((count) => count > 0);
}

/** The view Active Contracts. */
export function Contracts(): ReactNode {
  const record = useRecord("contract");
  const { view, query, sorting, showAll } = useContractsView();
  const contracts = useContracts(query);
  const some = contracts.data !== undefined && hasContracts(contracts.data);
  return (
    <Section id="contracts-heading" title="Active Contracts">
      <FilterBar view={view}>
        <DialogButton kind="primary" dialog={(close) => <NewContract onClose={close} />}>
          <Plus size={16} aria-hidden />
          New Contract
        </DialogButton>
      </FilterBar>
      <QueryTable
        {...CONTRACT_TABLE}
        label="Contracts"
        query={contracts}
        skeleton={8}
        view={{ filtered: some, clear: showAll }}
        sorting={sorting}
        onOpen={({ id }) => record.open(id)}
        empty={{
          title: "No contracts yet",
          text: "A deal that is won and a plan request that is approved make one; you can also write one by hand.",
          action: <DialogButton dialog={(close) => <NewContract onClose={close} />}>Write one</DialogButton>,
        }}
        noMatch={{ title: "No contract matches", action: "Show all contracts" }}
        foot={({ contracts: { length }, total }) => (
          <NumberedPager view={view} size={PAGE_SIZE} shown={length} total={total} thing="contract" />
        )}
      />
      <ContractDrawer record={record} rows={contracts.data?.contracts ?? []} />
    </Section>
  );
}
