import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { CustomPlan, StaffUser } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { formatNumber } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { toSentenceCase } from "../../../lib/labels";
import {
  findOwned,
  listOrganisationOptions,
  type OwnedOrganisation,
} from "../../adminpanel/customers/owned-organisations";
import { CustomerPicker } from "./customer-picker";
import { FormDialog } from "../../../ui/form-dialog";
import { ReasonField } from "../../../ui/reason-form";
import { ChoiceField } from "../../../ui/select";

const FAILED = "Failed to assign the plan";
const NO_ORGANISATION = "This person owns no organisation that could have the plan";

const CYCLES = [
  ["monthly", "Monthly"],
  ["yearly", "Yearly"],
] as const;
const BLANK = { user_id: "", organisation: "", billing_cycle: "monthly", reason: "" };

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
    send: async ({ user_id, organisation, billing_cycle, reason }) => {
      const params = { path: { plan_id: plan.id } };
      const cycle = billing_cycle === "yearly" ? "yearly" : "monthly";
      const whose = { user_id: Number(user_id), organisation };
      const body = { ...whose, billing_cycle: cycle, reason: reason.trim() } as const;
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
  organisation: OwnedOrganisation | undefined;
}

function AssignEffects({ plan, organisation }: AssignEffectsProps): ReactNode {
  const whose = organisation ? `of the organisation ${organisation.name}` : "of the customer's organisation";
  const now = organisation ? `${toSentenceCase(organisation.subscription_plan)} plan` : "plan";
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
  const owned = customer?.owned_organisations ?? [];
  const pick = (one: StaffUser) => {
    const first = findOwned(one, null)?.id ?? "";
    setCustomer(one);
    form.set("organisation", first);
    form.set("user_id", first && String(one.id));
  };
  const error = customer && owned.length === 0 ? NO_ORGANISATION : form.errors.user_id;
  const chosen = customer ? findOwned(customer, form.values.organisation) : undefined;
  return (
    <FormDialog title={`Assign ${plan.name}`} onClose={onClose} form={form} action="Assign plan">
      <CustomerPicker chosen={customer} error={error} onPick={pick} />
      {owned.length > 1 ? (
        <ChoiceField
          form={form}
          name="organisation"
          label="Organisation"
          options={listOrganisationOptions(owned)}
        />
      ) : null}
      <ChoiceField form={form} name="billing_cycle" label="Billing period" options={CYCLES} />
      <ReasonField form={form} required />
      <AssignEffects plan={plan} organisation={chosen} />
    </FormDialog>
  );
}
