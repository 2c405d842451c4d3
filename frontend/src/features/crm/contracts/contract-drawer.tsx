import type { ReactNode } from "react";

import type { Contract } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDate, formatUsd, NO_VALUE } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import type { OpenRecord } from "../../../lib/use-record";
import { Button } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { Facts, type Fact } from "../../../ui/facts";
import { RecordDrawer } from "../../../ui/record-drawer";
import { Loaded } from "../../../ui/states";
import { ContractBadge } from "./contract-badge";
import { EditContract } from "./contract-form";
import { formatRenewal } from "./contract-table";
import { reloadContracts, useContract } from "./use-contracts";

interface ContractProps {
  contract: Contract;
}

function ContractFacts({ contract }: ContractProps): ReactNode {
  const { deal_id, endDate, plan, quote_id, startDate, status, value } = contract;
  const lines: Fact[] = [
    ["Status", <ContractBadge key="status" status={status} />],
    ["Plan", plan],
    ["Starts", formatDate(startDate)],
    ["Ends", formatDate(endDate)],
    ["Value", formatUsd(value)],
    ["Renewal", formatRenewal(contract)],
    [
      "Deal",
      deal_id === null ? (
        NO_VALUE
      ) : (
        <a key="deal" href={`/admin?tab=crm&deal=${deal_id}`}>
          Open deal
        </a>
      ),
    ],
    [
      "Quote",
      quote_id === null ? (
        NO_VALUE
      ) : (
        <a key="quote" className="mono nowrap" href={`/admin?tab=quotes&quote=${quote_id}`}>
          {quote_id}
        </a>
      ),
    ],
  ];
  return <Facts facts={lines} />;
}

/** Cancels a contract, or takes that back; either can be undone. */
function CancelButton({ contract: { id, status } }: ContractProps): ReactNode {
  const cancelled = status === "cancelled";
  const params = { path: { contract_id: id } };
  const change = useAction(
    (cancels: boolean) =>
      readData(
        api.PUT("/api/admin/contracts/{contract_id}", {
          params,
          body: { status: cancels ? "cancelled" : "active" },
        }),
      ),
    "Failed to change the contract",
    {
      says: "described",
      done: (_, cancels) => (cancels ? "Contract cancelled" : "Contract taken up again"),
      undo: (_, cancels) => change.mutate(!cancels),
      onEnd: reloadContracts,
    },
  );
  return (
    <Button busy={change.isPending} onClick={() => change.mutate(!cancelled)}>
      {cancelled ? "Take up again" : "Cancel contract"}
    </Button>
  );
}

interface DeleteProps extends ContractProps {
  onGone: () => void;
}

function DeleteButton({ contract, onGone }: DeleteProps): ReactNode {
  const params = { path: { contract_id: contract.id } };
  return (
    <DialogButton
      kind="quiet"
      dialog={(close) => (
        <ConfirmDialog
          title={`Delete the contract with ${contract.companyName}?`}
          action="Delete contract"
          act={() => readData(api.DELETE("/api/admin/contracts/{contract_id}", { params }))}
          failed="Failed to delete the contract"
          says="here"
          onDone={() => {
            onGone();
            void reloadContracts();
          }}
          onClose={close}
        >
          <p className="break">
            {contract.plan}, {formatUsd(contract.value)}, until {formatDate(contract.endDate)}. This cannot be
            undone; a contract that ended early can be cancelled instead.
          </p>
        </ConfirmDialog>
      )}
    >
      Delete
    </DialogButton>
  );
}

interface DrawerProps {
  record: OpenRecord;
  /** Those beside it, in their order. */
  rows: readonly Contract[];
}

function LoadedDrawer({ id, record, rows }: DrawerProps & { id: string }): ReactNode {
  const contract = useContract(Number(id));
  const ids = [...new Set(rows.map((row) => String(row.id)))];
  return (
    <RecordDrawer place={{ id, ids, record }} title={contract.data?.companyName ?? "Contract"}>
      <Loaded query={contract} fallback="Failed to load the contract" rows={5}>
        {(found) => (
          <div className="stack-4" key={found.id}>
            <ContractFacts contract={found} />
            <div className="row">
              <DialogButton dialog={(close) => <EditContract contract={found} onClose={close} />}>
                Edit
              </DialogButton>
              <CancelButton contract={found} />
              <DeleteButton contract={found} onGone={record.close} />
            </div>
          </div>
        )}
      </Loaded>
    </RecordDrawer>
  );
}

/** The contract that is open, if one is: to be changed, cancelled or deleted. */
export function ContractDrawer(props: DrawerProps): ReactNode {
  const { id } = props.record;
  return id === null ? null : <LoadedDrawer {...props} id={id} />;
}
