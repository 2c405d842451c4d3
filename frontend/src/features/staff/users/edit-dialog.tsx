import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser, UserChanges } from "../../../api/types";
import { api, dataOf, oncePerPress } from "../../../lib/client";
import { messageOf, refusalOf } from "../../../lib/errors";
import { formatNumber } from "../../../lib/format";
import { useForm, type Form } from "../../../lib/use-form";
import { sentenceCase } from "../../../lib/words";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { Field } from "../../../ui/field";
import { Failure, FormBox, TextField } from "../../../ui/form";
import { reloadUsers } from "./use-users";
import { FULL_ACCESS } from "./words";

const FAILED = "Failed to update user";
const UPDATED = "User updated successfully!";
const MOST_LETTERS = 120;
const PLANS = ["free", "starter", "growth", "pro", "enterprise", "custom"] as const;
const STATUSES = ["active", "suspended"] as const;
const ROLES = ["user", "admin"] as const;

interface Values {
  credits: string;
  reason: string;
  plan: StaffUser["subscription_plan"];
  status: StaffUser["status"];
  role: StaffUser["role"];
}

function valuesOf({ credits, subscription_plan, status, role }: StaffUser): Values {
  return { credits: String(credits), reason: "", plan: subscription_plan, status, role };
}

function check(values: Values, user: StaffUser): Partial<Record<keyof Values, string>> {
  const credits = values.credits.trim();
  if (!/^\d{1,9}$/.test(credits)) return { credits: "Enter a whole number of credits, 0 or more" };
  const changed = Number(credits) !== user.credits;
  return changed && values.reason.trim() === "" ? { reason: "Enter a reason for the change of credits" } : {};
}

async function save(user: StaffUser, values: Values): Promise<void> {
  const { plan, status, role, reason } = values;
  const body: UserChanges = {
    credits: Number(values.credits),
    credits_read: user.credits,
    plan,
    status,
    role,
    reason,
  };
  const { message } = await dataOf(
    api.PUT("/api/admin/users/{user_id}", {
      params: { path: { user_id: user.id } },
      ...oncePerPress(),
      body,
    }),
  );
  toast.success(UPDATED, { description: message.replace(UPDATED, "").trim() });
}

interface ChoiceProps {
  form: Form<Values>;
  name: "plan" | "status" | "role";
  label: string;
  options: readonly string[];
  hint?: ReactNode;
}

function Choice({ form, name, label, options, hint }: ChoiceProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={form.errors[name]}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={form.values[name]}
          onChange={(event) => form.set(name, event.target.value)}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {sentenceCase(option)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const OTHER_PLAN =
  "A running PayPal agreement is cancelled with the plan it paid for; the new plan is given, and nobody is charged for it. What was paid is not refunded by this.";
const TO_FREE = "What is left of the plan's credits lapses; packs and bonuses stay.";
const SUSPENDED =
  "Suspending signs the user out, refuses API keys, stops running lists and gives their credits back, and stops charges at PayPal. Data is kept.";
const READMITTED = "The user may sign in again, API keys work again, and charges at PayPal go on.";

function effectsOf(user: StaffUser, { plan, status }: Values): string[] {
  const otherPlan = plan !== user.subscription_plan;
  const otherStatus = status !== user.status;
  const effects: [boolean, string][] = [
    [otherPlan, OTHER_PLAN],
    [otherPlan && plan === "free", TO_FREE],
    [otherStatus && status === "suspended", SUSPENDED],
    [otherStatus && status === "active", READMITTED],
  ];
  return effects.filter(([holds]) => holds).map(([, words]) => words);
}

/** What the changes that are chosen will do, before they are saved. */
function Effects({ user, values }: { user: StaffUser; values: Values }): ReactNode {
  const effects = effectsOf(user, values);
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

function Fields({ form, credits }: { form: Form<Values>; credits: number }): ReactNode {
  const changed = form.values.credits.trim() !== String(credits);
  return (
    <>
      <div className="user-fields">
        <TextField
          form={form}
          name="credits"
          label="Credits"
          hint={`Spendable now: ${formatNumber(credits)}`}
          inputMode="numeric"
          autoComplete="off"
        />
        <Choice form={form} name="plan" label="Plan" options={PLANS} />
        <Choice form={form} name="status" label="Status" options={STATUSES} />
        <Choice form={form} name="role" label="Role" options={ROLES} hint={FULL_ACCESS} />
      </div>
      {changed ? (
        <TextField
          form={form}
          name="reason"
          label="Reason for the change of credits"
          hint="One entry in the ledger; the customer reads it in the statement. Name nobody."
          maxLength={MOST_LETTERS}
          autoComplete="off"
        />
      ) : null}
    </>
  );
}

function EditForm({
  user,
  onDone,
  onMoved,
}: {
  user: StaffUser;
  onDone: () => void;
  onMoved: () => void;
}): ReactNode {
  const form = useForm<Values>({
    defaults: valuesOf(user),
    check: (values) => check(values, user),
    send: async (values) => {
      try {
        await save(user, values);
      } catch (error) {
        toast.error(messageOf(error, FAILED));
        if (refusalOf(error, "BALANCE_CHANGED")) onMoved();
        throw error;
      } finally {
        void reloadUsers();
      }
      onDone();
    },
    fallback: FAILED,
  });
  return (
    <FormBox form={form}>
      <Fields form={form} credits={user.credits} />
      <Effects user={user} values={form.values} />
      <Failure>{form.failure}</Failure>
      <div className="dialog-foot">
        <Button onClick={onDone}>Cancel</Button>
        <Button kind="primary" type="submit" busy={form.busy}>
          Save changes
        </Button>
      </div>
    </FormBox>
  );
}

async function read(id: number): Promise<StaffUser> {
  const params = { path: { user_id: id } };
  return (await dataOf(api.GET("/api/admin/users/{user_id}", { params }))).user;
}

/** Credits, plan, status and role of an account. When credits moved meanwhile, the form begins anew with them. */
export function EditDialog({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const [seen, setSeen] = useState(user);
  const [moved, setMoved] = useState(false);
  const readAgain = () => {
    read(user.id).then(
      (fresh) => {
        setSeen(fresh);
        setMoved(true);
      },
      (error: unknown) => toast.error(messageOf(error, "Failed to load the user")),
    );
  };
  return (
    <Dialog title="Edit User" description={`${user.name} · ${user.email}`} onClose={onClose}>
      <div className="stack-4">
        {moved ? (
          <p className="notice" role="status">
            The balance changed meanwhile. It is {formatNumber(seen.credits)} credits now; nothing was saved.
          </p>
        ) : null}
        <EditForm key={seen.credits} user={seen} onDone={onClose} onMoved={readAgain} />
      </div>
    </Dialog>
  );
}
