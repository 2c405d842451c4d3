import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser, UserChanges } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { getRefusal } from "../../../lib/errors";
import { formatNumber } from "../../../lib/format";
import { useAction } from "../../../lib/use-action";
import { useForm, type Form } from "../../../lib/use-form";
import { toSentenceCase } from "../../../lib/labels";
import { Dialog } from "../../../ui/dialog";
import { AreaField, EntryField } from "../../../ui/form";
import { reloadUsers } from "./use-users";
import { FULL_ACCESS } from "./user-badges";
import { DialogForm } from "../../../ui/form-foot";
import { ChoiceField, type SelectOptions } from "../../../ui/select";

const UPDATED = "User updated successfully!";
const MOST_LETTERS = 120;
const MOST_OF_SUSPENSION = 500;
/** Each as the server names it, and in words. */
function listOptions(keys: readonly string[]): SelectOptions<string> {
  return keys.map((key) => [key, toSentenceCase(key)]);
}

const PLANS = listOptions(["free", "starter", "growth", "pro", "enterprise", "custom"]);
const STATUSES = listOptions(["active", "suspended"]);
const ROLES = listOptions(["user", "admin"]);

interface Values {
  credits: string;
  reason: string;
  plan: StaffUser["subscription_plan"];
  status: StaffUser["status"];
  suspension_reason: string;
  role: StaffUser["role"];
}

function getValues({ credits, subscription_plan, status, role }: StaffUser): Values {
  const plan = subscription_plan;
  return { credits: String(credits), reason: "", plan, status, suspension_reason: "", role };
}

function isSuspension(user: StaffUser, { status }: Values): boolean {
  return status === "suspended" && user.status !== status;
}

function checkValues(values: Values, user: StaffUser): Partial<Record<keyof Values, string>> {
  const credits = values.credits.trim();
  if (!/^\d{1,9}$/.test(credits)) return { credits: "Enter a whole number of credits, 0 or more" };
  const wrong: Partial<Record<keyof Values, string>> = {};
  if (Number(credits) !== user.credits && values.reason.trim() === "") {
    wrong.reason = "Enter a reason for the change of credits";
  }
  if (isSuspension(user, values) && values.suspension_reason.trim() === "") {
    wrong.suspension_reason = "Enter a reason for the suspension";
  }
  return wrong;
}

async function saveUser(user: StaffUser, values: Values): Promise<void> {
  const { plan, status, suspension_reason, role, reason } = values;
  const money = { credits: Number(values.credits), credits_read: user.credits, plan, reason };
  const body: UserChanges = {
    ...(user.own_organisation ? money : {}),
    status,
    suspension_reason,
    role,
  };
  const { message } = await readData(
    api.PUT("/api/admin/users/{user_id}", {
      params: { path: { user_id: user.id } },
      ...withIdempotencyKey(),
      body,
    }),
  );
  toast.success(UPDATED, { description: message.replace(UPDATED, "").trim() });
}

const OTHER_PLAN =
  "A running PayPal agreement is cancelled with the plan it paid for; the new plan is given, and nobody is charged for it. What was paid is not refunded by this.";
const TO_FREE = "What is left of the plan's credits lapses; packs and bonuses stay.";
const SUSPENDED =
  "Suspending signs the user out, refuses API keys, stops running lists and gives their credits back, and stops charges at PayPal. Data is kept. The customer is mailed the reason and how to answer.";
const READMITTED =
  "The user may sign in again, API keys work again, and charges at PayPal go on. The customer is mailed.";

function listEffects(user: StaffUser, values: Values): string[] {
  const { plan, status } = values;
  const otherPlan = plan !== user.subscription_plan;
  const otherStatus = status !== user.status;
  const effects: [boolean, string][] = [
    [otherPlan, OTHER_PLAN],
    [otherPlan && plan === "free", TO_FREE],
    [isSuspension(user, values), SUSPENDED],
    [otherStatus && status === "active", READMITTED],
  ];
  return effects.filter(([holds]) => holds).map(([, words]) => words);
}

/** What the changes that are chosen will do, before they are saved. */
function Effects({ user, values }: { user: StaffUser; values: Values }): ReactNode {
  const effects = listEffects(user, values);
  if (effects.length === 0) return null;
  return (
    <div className="notice" role="note">
      <ul className="bullets">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
    </div>
  );
}

/** Why credits change and why an account is suspended, where that is so. */
function ReasonFields({ form, user }: { form: Form<Values>; user: StaffUser }): ReactNode {
  const changed = form.values.credits.trim() !== String(user.credits);
  return (
    <>
      {changed ? (
        <EntryField
          form={form}
          name="reason"
          label="Reason for the change of credits"
          hint="One entry in the ledger; the customer reads it in the statement. Name nobody."
          maxLength={MOST_LETTERS}
        />
      ) : null}
      {isSuspension(user, form.values) ? (
        <AreaField
          form={form}
          name="suspension_reason"
          label="Reason for the suspension"
          hint="The customer gets it by mail. Name nobody."
          maxLength={MOST_OF_SUSPENSION}
        />
      ) : null}
    </>
  );
}

function Fields({ form, user }: { form: Form<Values>; user: StaffUser }): ReactNode {
  return (
    <>
      <div className="user-fields">
        {user.own_organisation ? (
          <>
            <EntryField
              form={form}
              name="credits"
              label="Credits"
              hint={`Spendable now: ${formatNumber(user.credits)}`}
              inputMode="numeric"
            />
            <ChoiceField form={form} name="plan" label="Plan" options={PLANS} />
          </>
        ) : null}
        <ChoiceField form={form} name="status" label="Status" options={STATUSES} />
        <ChoiceField form={form} name="role" label="Role" options={ROLES} hint={FULL_ACCESS} />
      </div>
      <ReasonFields form={form} user={user} />
    </>
  );
}

interface EditFormProps {
  user: StaffUser;
  onDone: () => void;
  onMoved: () => void;
}

function EditForm({ user, onDone, onMoved }: EditFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: getValues(user),
    check: (values) => checkValues(values, user),
    send: async (values) => {
      try {
        await saveUser(user, values);
      } catch (error) {
        if (getRefusal(error, "BALANCE_CHANGED")) onMoved();
        throw error;
      } finally {
        void reloadUsers();
      }
      onDone();
    },
    fallback: "Failed to update user",
  });
  return (
    <DialogForm form={form} action="Save changes" onCancel={onDone}>
      <Fields form={form} user={user} />
      <Effects user={user} values={form.values} />
    </DialogForm>
  );
}

/** Whose credits and plan these are. */
function describeWhose({ own_organisation: own }: StaffUser): string {
  return own
    ? `Credits and plan are those of the organisation ${own.name}.`
    : "This person holds no organisation, so there are no credits and no plan to change.";
}

async function loadUser(id: number): Promise<StaffUser> {
  const params = { path: { user_id: id } };
  return (await readData(api.GET("/api/admin/users/{user_id}", { params }))).user;
}

/** Credits, plan, status and role of an account. When credits moved meanwhile, the form begins anew with them. */
export function EditUserDialog({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const [seen, setSeen] = useState(user);
  const [moved, setMoved] = useState(false);
  const reading = useAction(() => loadUser(user.id), "Failed to load the user", {
    onDone: (fresh) => {
      setSeen(fresh);
      setMoved(true);
    },
  });
  return (
    <Dialog title="Edit User" description={`${user.name} · ${user.email}`} onClose={onClose}>
      <div className="stack-4">
        <p>{describeWhose(user)}</p>
        {moved ? (
          <p className="notice" role="status">
            The balance changed meanwhile. It is {formatNumber(seen.credits)} credits now; nothing was saved.
          </p>
        ) : null}
        <EditForm key={seen.credits} user={seen} onDone={onClose} onMoved={() => reading.mutate()} />
      </div>
    </Dialog>
  );
}
