import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Contract } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { formatDate, formatUsd } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import { useForm, type Form } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Checkbox } from "../../../ui/checkbox";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { TextField, EntryField } from "../../../ui/form";
import { DialogForm } from "../../../ui/form-foot";
import { Loaded } from "../../../ui/states";
import { isAmount } from "../labels";
import { ContractBadge } from "./contract-badge";
import { reloadContracts, useContract } from "./use-contracts";
import { AmountField, CompanyField } from "../fields";

const EMPTY = {
  companyName: "",
  plan: "",
  startDate: "",
  endDate: "",
  value: "",
  renewalDate: "",
  autoRenewal: "",
};
const YES = "yes";

type Values = typeof EMPTY;

function getValues(contract: Contract): Values {
  return {
    ...contract,
    value: String(contract.value),
    renewalDate: contract.renewalDate ?? "",
    autoRenewal: contract.autoRenewal ? YES : "",
  };
}

function checkValues(values: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (values.companyName.trim() === "") wrong.companyName = "Enter the company's name";
  if (values.plan.trim() === "") wrong.plan = "Enter what was agreed on";
  if (values.startDate === "") wrong.startDate = "Choose a date";
  if (values.endDate <= values.startDate) wrong.endDate = "Choose a date after the start";
  if (!isAmount(values.value)) wrong.value = "Enter an amount in US dollars, 0 or more";
  return wrong;
}

async function saveContract(values: Values, contract: Contract | undefined): Promise<string> {
  const { companyName, plan, startDate, endDate } = values;
  const body = {
    companyName,
    plan,
    startDate,
    endDate,
    value: values.value.trim(),
    renewalDate: values.renewalDate || null,
    autoRenewal: values.autoRenewal === YES,
  };
  if (!contract) {
    await readData(api.POST("/api/admin/contracts", { body }));
    return "Contract created";
  }
  const params = { path: { contract_id: contract.id } };
  await readData(api.PUT("/api/admin/contracts/{contract_id}", { params, body }));
  return "Contract saved";
}

function Fields({ form }: { form: Form<Values> }): ReactNode {
  return (
    <div className="crm-fields">
      <CompanyField form={form} name="companyName" />
      <EntryField form={form} name="plan" label="Plan" maxLength={120} required />
      <TextField form={form} name="startDate" label="Start date" type="date" required />
      <TextField form={form} name="endDate" label="End date" type="date" required />
      <AmountField form={form} name="value" label="Value (USD)" />
      <TextField form={form} name="renewalDate" label="Renewal date (optional)" type="date" />
      <div className="crm-fields-wide">
        <Checkbox
          label="Renews itself"
          hint="It does not expire at its end date."
          checked={form.values.autoRenewal === YES}
          onChange={(on) => form.set("autoRenewal", on ? YES : "")}
        />
      </div>
    </div>
  );
}

interface EndingProps {
  contract: Contract;
  onClose: () => void;
}

/** Cancels a contract, or takes that back. */
function CancelButton({ contract, onClose }: EndingProps): ReactNode {
  const cancelled = contract.status === "cancelled";
  const params = { path: { contract_id: contract.id } };
  const change = useAction(
    () =>
      readData(
        api.PUT("/api/admin/contracts/{contract_id}", {
          params,
          body: { status: cancelled ? "active" : "cancelled" },
        }),
      ),
    "Failed to change the contract",
    {
      says: "described",
      done: () => (cancelled ? "Contract taken up again" : "Contract cancelled"),
      onDone: () => {
        void reloadContracts();
        onClose();
      },
    },
  );
  return (
    <Button busy={change.isPending} onClick={() => change.mutate()}>
      {cancelled ? "Take up again" : "Cancel contract"}
    </Button>
  );
}

function DeleteButton({ contract, onClose }: EndingProps): ReactNode {
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
            void reloadContracts();
            onClose();
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

/** Where a contract stands and came from. */
function ContractOrigin({ contract: { deal_id, quote_id, status } }: { contract: Contract }): ReactNode {
  return (
    <p className="row">
      <ContractBadge status={status} />
      {deal_id === null ? null : <a href={`/admin?tab=crm&deal=${deal_id}`}>Deal</a>}
      {quote_id === null ? null : (
        <a className="mono nowrap" href={`/admin?tab=quotes&quote=${quote_id}`}>
          {quote_id}
        </a>
      )}
    </p>
  );
}

/** How a contract ends before its time. */
function EndingButtons(props: EndingProps): ReactNode {
  return (
    <div className="row grow">
      <CancelButton {...props} />
      <DeleteButton {...props} />
    </div>
  );
}

interface FormProps {
  contract?: Contract;
  onClose: () => void;
}

function ContractFields({ contract, onClose }: FormProps): ReactNode {
  const failed = contract ? "Failed to save the contract" : "Failed to create contract";
  const form = useForm<Values>({
    defaults: contract ? getValues(contract) : EMPTY,
    check: checkValues,
    send: async (values) => {
      toast.success(await saveContract(values, contract));
      void reloadContracts();
      onClose();
    },
    fallback: failed,
  });
  return (
    <DialogForm
      form={form}
      action={contract ? "Save contract" : "Create contract"}
      cancel="Close"
      aside={contract ? <EndingButtons contract={contract} onClose={onClose} /> : null}
      onCancel={onClose}
    >
      {contract ? <ContractOrigin contract={contract} /> : null}
      <Fields form={form} />
    </DialogForm>
  );
}

/** Writes a contract by hand. */
export function NewContract({ onClose }: { onClose: () => void }): ReactNode {
  return (
    <Dialog title="New Contract" onClose={onClose} wide>
      <ContractFields onClose={onClose} />
    </Dialog>
  );
}

/** A contract as it is now, to be changed, cancelled or deleted. */
export function ContractDialog({ id, onClose }: { id: number; onClose: () => void }): ReactNode {
  const contract = useContract(id);
  return (
    <Dialog title={contract.data?.companyName ?? "Contract"} onClose={onClose} wide>
      <Loaded query={contract} fallback="Failed to load the contract" rows={5}>
        {(found) => <ContractFields contract={found} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}
