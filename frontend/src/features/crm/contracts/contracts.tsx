import { FileSignature, Plus, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { Contract, Contracts as Found } from "../../../api/types";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { EmptyState, Loaded } from "../../../ui/states";
import { Select } from "../../adminpanel/select";
import { NewContract } from "./contract-form";
import { ContractTable } from "./contract-table";
import { ContractPager } from "./contract-pager";
import { ORDERS, SORTS, STATUSES, useContracts, useContractsView, type View } from "./use-contracts";

function Tools({ view, onNew }: { view: View; onNew: () => void }): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search contracts"
        hint="Search by company, plan or quote"
        value={view.search}
        onSearch={view.setSearch}
      />
      <Select label="Status" value={view.status} options={STATUSES} onChange={view.setStatus} />
      <Select
        label="Sort by"
        value={view.sort}
        options={SORTS}
        onChange={(sort) => view.setSort(sort, view.order)}
      />
      <Select
        label="Order"
        value={view.order}
        options={ORDERS}
        onChange={(order) => view.setSort(view.sort, order)}
      />
      <Button kind="primary" onClick={onNew}>
        <Plus size={16} aria-hidden />
        New Contract
      </Button>
    </div>
  );
}

function NoContracts({ found, view }: { found: Found; view: View }): ReactNode {
  const all = Object.values(found.counts).reduce((sum, count) => sum + count, 0);
  if (all > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No contract matches"
        action={<Button onClick={view.clear}>Show all contracts</Button>}
      />
    );
  }
  return (
    <EmptyState icon={FileSignature} title="No contracts yet">
      A deal that is won and a plan request that is approved make one; you can also write one by hand.
    </EmptyState>
  );
}

/** The view Active Contracts. */
export function Contracts({ onOpen }: { onOpen: (contract: Contract) => void }): ReactNode {
  const [making, setMaking] = useState(false);
  const view = useContractsView();
  const { search, status, sort, order, page } = view;
  const contracts = useContracts({ search, status: status === "all" ? "" : status, sort, order, page });
  return (
    <section className="stack-4" aria-labelledby="contracts-heading">
      <h2 id="contracts-heading">Active Contracts</h2>
      <Tools view={view} onNew={() => setMaking(true)} />
      <Loaded query={contracts} fallback="Failed to load contracts" rows={8}>
        {(found) =>
          found.contracts.length > 0 ? (
            <>
              <ContractTable label="Contracts" contracts={found.contracts} onOpen={onOpen} sorting={view} />
              <ContractPager found={found} page={page} onPage={view.setPage} />
            </>
          ) : (
            <NoContracts found={found} view={view} />
          )
        }
      </Loaded>
      {making ? <NewContract onClose={() => setMaking(false)} /> : null}
    </section>
  );
}
