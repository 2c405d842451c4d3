import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Contract } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useForm, type Form } from "../../../lib/use-form";
import { Checkbox } from "../../../ui/checkbox";
import { Dialog } from "../../../ui/dialog";
import { TextField, EntryField } from "../../../ui/form";
import { DialogForm } from "../../../ui/form-foot";
import { isAmount } from "../labels";
import { reloadContracts } from "./use-contracts";
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
    <DialogForm form={form} action={contract ? "Save contract" : "Create contract"} onCancel={onClose}>
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

/** Changes what was agreed on. */
export function EditContract({ contract, onClose }: Required<FormProps>): ReactNode {
  return (
    <Dialog title={`Edit the contract with ${contract.companyName}`} onClose={onClose} wide>
      <ContractFields contract={contract} onClose={onClose} />
    </Dialog>
  );
}
