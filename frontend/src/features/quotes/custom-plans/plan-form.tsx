import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { CustomPlan, NewCustomPlan } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { useForm, type Form } from "../../../lib/use-form";
import { Checkbox } from "../../../ui/checkbox";
import { Checklist } from "../../../ui/checklist";
import { AreaField, TextField, EntryField } from "../../../ui/form";
import { CUSTOM_PLANS, FEATURES, splitFeatures, type Feature } from "./plan-features";
import { FormDialog } from "../../../ui/form-dialog";

const BLANK = {
  name: "",
  targetCustomer: "",
  description: "",
  monthlyPrice: "",
  yearlyPrice: "",
  credits: "",
  customFeatures: "",
};
const PRICE = /^\d{1,10}(\.\d{1,2})?$/;
const WHOLE = /^\d{1,9}$/;
const MOST_LETTERS = 120;

type Values = typeof BLANK;

function getValues(plan: CustomPlan): Values {
  return {
    name: plan.name,
    targetCustomer: plan.targetCustomer,
    description: plan.description,
    monthlyPrice: plan.monthlyPrice.toFixed(2),
    yearlyPrice: plan.yearlyPrice.toFixed(2),
    credits: String(plan.credits),
    customFeatures: splitFeatures(plan).typed,
  };
}

function checkValues(values: Values): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (values.name.trim() === "") wrong.name = "Enter a name";
  if (values.targetCustomer.trim() === "") wrong.targetCustomer = "Say whom the plan is for";
  for (const name of ["monthlyPrice", "yearlyPrice"] as const) {
    if (!PRICE.test(values[name].trim())) wrong[name] = "Enter a price such as 199.99, at least 0";
  }
  if (!WHOLE.test(values.credits.trim())) wrong.credits = "Enter a whole number, at least 0";
  return wrong;
}

function buildBody(values: Values, features: Feature[], isActive: boolean): NewCustomPlan {
  return {
    name: values.name.trim(),
    targetCustomer: values.targetCustomer.trim(),
    description: values.description.trim(),
    monthlyPrice: values.monthlyPrice.trim(),
    yearlyPrice: values.yearlyPrice.trim(),
    credits: Number(values.credits),
    features,
    customFeatures: values.customFeatures,
    isActive,
  };
}

const FEATURE_CHOICES = FEATURES.map((key) => ({ key }));

function Terms({ form }: { form: Form<Values> }): ReactNode {
  const price = { type: "number", min: 0, step: 0.01, inputMode: "decimal", required: true } as const;
  return (
    <>
      <div className="columns-2">
        <EntryField form={form} name="name" label="Name" maxLength={MOST_LETTERS} required />
        <EntryField form={form} name="targetCustomer" label="Target customer" maxLength={255} required />
      </div>
      <AreaField form={form} name="description" label="Description (optional)" rows={2} maxLength={1_000} />
      <div className="plan-terms">
        <TextField form={form} name="monthlyPrice" label="Monthly price ($)" {...price} />
        <TextField form={form} name="yearlyPrice" label="Yearly price ($)" {...price} />
        <TextField
          form={form}
          name="credits"
          label="Credits a month"
          type="number"
          min={0}
          step={1}
          inputMode="numeric"
          required
        />
      </div>
    </>
  );
}

function usePlanForm(
  { from, send, failed, onClose }: PlanDialogProps,
  features: Feature[],
  isActive: boolean,
) {
  return useForm<Values>({
    defaults: from ? getValues(from) : BLANK,
    check: checkValues,
    send: async (values) => {
      toast.success(await send(buildBody(values, features, isActive)));
      void reloadAdmin(...CUSTOM_PLANS);
      onClose();
    },
    fallback: failed,
    says: "described",
  });
}

interface PlanDialogProps {
  title: string;
  action: string;
  /** What the form is filled with. */
  from: CustomPlan | null;
  /** Answers what to say when it is done. */
  send: (body: NewCustomPlan) => Promise<string>;
  failed: string;
  onClose: () => void;
}

function PlanDialog(props: PlanDialogProps): ReactNode {
  const { title, action, from, onClose } = props;
  const [features, setFeatures] = useState(from ? splitFeatures(from).listed : []);
  const [isActive, setActive] = useState(from?.isActive ?? true);
  const form = usePlanForm(props, features, isActive);
  return (
    <FormDialog title={title} onClose={onClose} wide form={form} action={action}>
      <Terms form={form} />
      <Checklist
        legend="Features"
        choices={FEATURE_CHOICES}
        chosen={features}
        onChange={(chosen) => setFeatures(FEATURES.filter((feature) => chosen.includes(feature)))}
        className="plan-features"
      />
      <EntryField
        form={form}
        name="customFeatures"
        label="Further features (optional)"
        hint="Separated by commas"
        maxLength={2_000}
      />
      <Checkbox
        label="Active"
        hint="Only active plans can be assigned."
        checked={isActive}
        onChange={setActive}
      />
    </FormDialog>
  );
}

interface CreateProps {
  /** The plan that is copied, if one is. */
  like: CustomPlan | null;
  onClose: () => void;
}

/** Makes a plan, blank or like another one. */
export function CreatePlanDialog({ like, onClose }: CreateProps): ReactNode {
  const from = like && { ...like, name: `${like.name} (Copy)`.slice(0, MOST_LETTERS), isActive: true };
  return (
    <PlanDialog
      title="Create Custom Plan"
      action="Create plan"
      from={from}
      failed="Failed to create custom plan"
      send={async (body) => (await readData(api.POST("/api/admin/custom-plans", { body }))).message}
      onClose={onClose}
    />
  );
}

/** Changes a plan; what was assigned before keeps its terms. */
export function EditPlanDialog({ plan, onClose }: { plan: CustomPlan; onClose: () => void }): ReactNode {
  const params = { path: { plan_id: plan.id } };
  return (
    <PlanDialog
      title={`Edit ${plan.name}`}
      action="Save changes"
      from={plan}
      failed="Failed to save custom plan"
      send={async (body) => {
        await readData(api.PUT("/api/admin/custom-plans/{plan_id}", { params, body }));
        return "Custom plan saved. Plans that were assigned before keep their terms.";
      }}
      onClose={onClose}
    />
  );
}
