import type { ReactNode } from "react";
import { toast } from "sonner";

import type { Deal, DealStage } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useForm, type Form } from "../../../lib/use-form";
import { AreaField, TextField, EntryField } from "../../../ui/form";
import { isAmount, OPEN_STAGES, STAGES } from "../labels";
import { reloadDeals } from "./use-board";
import { FormDialog } from "../../../ui/form-dialog";
import { AmountField, CompanyField } from "../fields";
import { ChoiceField } from "../../../ui/select";

const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const EMPTY = {
  companyName: "",
  contactName: "",
  contactEmail: "",
  dealValue: "",
  stage: "prospect",
  expectedCloseDate: "",
  notes: "",
};

type Values = typeof EMPTY;

function checkValues(values: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (values.companyName.trim() === "") wrong.companyName = "Enter the company's name";
  if (values.contactName.trim() === "") wrong.contactName = "Enter the contact's name";
  if (!ADDRESS.test(values.contactEmail.trim())) wrong.contactEmail = "Enter a valid email address";
  if (!isAmount(values.dealValue)) wrong.dealValue = "Enter an amount in US dollars, 0 or more";
  if (values.expectedCloseDate === "") wrong.expectedCloseDate = "Choose a date";
  return wrong;
}

function getValues(deal: Deal): Values {
  return { ...deal, dealValue: String(deal.dealValue) };
}

async function saveDeal(values: Values, deal: Deal | undefined): Promise<void> {
  const body = {
    ...values,
    contactEmail: values.contactEmail.trim(),
    dealValue: values.dealValue.trim(),
    stage: values.stage as DealStage,
  };
  if (deal) {
    await readData(api.PUT("/api/admin/deals/{deal_id}", { params: { path: { deal_id: deal.id } }, body }));
    toast.success("Deal saved");
    return;
  }
  const made = await readData(
    api.POST("/api/admin/deals", { body: body as typeof body & { stage: OpenStage } }),
  );
  toast.success(made.message);
}

type OpenStage = Exclude<DealStage, "closed_won" | "closed_lost">;

interface FieldsProps {
  form: Form<Values>;
  stages: typeof STAGES;
}

function Fields({ form, stages }: FieldsProps): ReactNode {
  return (
    <div className="crm-fields">
      <CompanyField form={form} name="companyName" />
      <EntryField form={form} name="contactName" label="Contact name" maxLength={150} required />
      <EntryField form={form} name="contactEmail" label="Contact email" type="email" required />
      <AmountField form={form} name="dealValue" label="Deal value (USD)" />
      <ChoiceField form={form} name="stage" label="Stage" options={stages} />
      <TextField form={form} name="expectedCloseDate" label="Expected close date" type="date" required />
      <div className="crm-fields-wide">
        <AreaField form={form} name="notes" label="Notes (optional)" maxLength={5_000} />
      </div>
    </div>
  );
}

const MAKING = {
  title: "New Deal",
  action: "Create deal",
  failed: "Failed to create deal",
  stages: OPEN_STAGES,
  values: EMPTY,
};

function getTexts(deal: Deal): typeof MAKING {
  return {
    title: `Edit ${deal.companyName}`,
    action: "Save deal",
    failed: "Failed to save the deal",
    stages: STAGES,
    values: getValues(deal),
  };
}

/** Makes a deal, or changes one. */
export function DealForm({ deal, onClose }: { deal?: Deal; onClose: () => void }): ReactNode {
  const { title, action, failed, stages, values } = deal ? getTexts(deal) : MAKING;
  const form = useForm<Values>({
    defaults: values,
    check: checkValues,
    send: async (filled) => {
      await saveDeal(filled, deal);
      void reloadDeals();
      onClose();
    },
    fallback: failed,
    says: "described",
  });
  const wins = form.values.stage === "closed_won" && values.stage !== "closed_won";
  return (
    <FormDialog title={title} onClose={onClose} wide form={form} action={action}>
      <Fields form={form} stages={stages} />
      {wins ? (
        <p className="notice">Won, it gets a contract for a year from today, unless it has one.</p>
      ) : null}
    </FormDialog>
  );
}
