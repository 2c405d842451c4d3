import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { CustomPlan, StaffUser } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { toSentenceCase } from "../../../lib/labels";
import { CustomerPicker } from "./customer-picker";
import { FormDialog } from "../../../ui/form-dialog";
import { ReasonField } from "../../../ui/reason-form";
import { ChoiceField } from "../../../ui/select";

const FAILED = "Failed to assign the plan";
const NO_ORGANISATION = "This person holds no organisation that could have the plan";

const CYCLES = [
  ["monthly", "Monthly"],
  ["yearly", "Yearly"],
] as const;
const BLANK = { user_id: "", billing_cycle: "monthly", reason: "" };

function checkValues({ user_id, reason }: typeof BLANK): Partial<typeof BLANK> {
  const wrong: Partial<typeof BLANK> = {};
  if (user_id === "") wrong.user_id = "Choose a customer";
  if (reason.trim() === "") wrong.reason = "Say why the plan is given";
  return wrong;
}

function useAssignPlan(plan: CustomPlan, onClose: () => void) {
  return useForm({
    defaults: BLANK,
    check: checkValues,
    send: async ({ user_id, billing_cycle, reason }) => {
      const params = { path: { plan_id: plan.id } };
      const cycle = billing_cycle === "yearly" ? "yearly" : "monthly";
      const body = { user_id: Number(user_id), billing_cycle: cycle, reason: reason.trim() } as const;
      const call = api.POST("/api/admin/custom-plans/{plan_id}/assign", {
        params,
        body,
        ...withIdempotencyKey(),
      });
      toast.success((await readData(call)).message);
      onClose();
    },
    fallback: FAILED,
  });
}

interface AssignEffectsProps {
  plan: CustomPlan;
  customer: StaffUser | null;
}

function AssignEffects({ plan, customer }: AssignEffectsProps): ReactNode {
  const organisation = customer?.own_organisation?.name;
  const whose = organisation ? `of the organisation ${organisation}` : "of the customer's organisation";
  const now = customer ? `${toSentenceCase(customer.subscription_plan)} plan` : "plan";
  return (
    <ul className="bullets small muted break">
      <li>The plan begins now, with {formatNumber(plan.credits)} credits, and as many again each month.</li>
      <li>
        It takes the place of the {now} {whose}; a running PayPal agreement is cancelled.
      </li>
      <li>Nothing is charged for it. Credits that are there stay as long as they hold.</li>
    </ul>
  );
}

/** Gives a plan to a customer; says first what that does. */
export function AssignDialog({ plan, onClose }: { plan: CustomPlan; onClose: () => void }): ReactNode {
  const [customer, setCustomer] = useState<StaffUser | null>(null);
  const form = useAssignPlan(plan, onClose);
  const pick = (one: StaffUser) => {
    setCustomer(one);
    form.set("user_id", one.own_organisation ? String(one.id) : "");
  };
  const error = customer && !customer.own_organisation ? NO_ORGANISATION : form.errors.user_id;
  return (
    <FormDialog title={`Assign ${plan.name}`} onClose={onClose} form={form} action="Assign plan">
      <CustomerPicker chosen={customer} error={error} onPick={pick} />
      <ChoiceField form={form} name="billing_cycle" label="Billing period" options={CYCLES} />
      <ReasonField form={form} required />
      <AssignEffects plan={plan} customer={customer} />
    </FormDialog>
  );
}
