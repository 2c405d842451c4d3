import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser, UserChanges } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { getRefusal } from "../../../lib/errors";
import { formatCount, formatNumber } from "../../../lib/format";
import { sayFailure, useAction } from "../../../lib/use-action";
import { usePlanCatalogue } from "../../billing/subscriptions/use-plan-changes";
import { useForm, type Form } from "../../../lib/use-form";
import { toSentenceCase } from "../../../lib/labels";
import { Dialog } from "../../../ui/dialog";
import { AreaField, EntryField } from "../../../ui/form";
import { reloadUsers } from "./use-users";
import { FULL_ACCESS } from "./user-badges";
import { DialogForm } from "../../../ui/form-foot";
import { ChoiceField, SelectField, type SelectOptions } from "../../../ui/select";
import { findOwned, listOrganisationOptions, type OwnedOrganisation } from "./owned-organisations";

const UPDATED = "User updated successfully!";
const FAILED = "Failed to update user";
const MOST_LETTERS = 120;
const MOST_OF_SUSPENSION = 500;
const WHOLE_CREDITS = /^\d{1,9}$/;
/** Each as the server names it, and in words. */
function listOptions(keys: readonly string[]): SelectOptions<string> {
  return keys.map((key) => [key, toSentenceCase(key)]);
}

const PLANS = listOptions(["free", "starter", "growth", "pro", "enterprise", "custom"]);
const STATUSES = listOptions(["active", "suspended"]);
const ROLES = listOptions(["user", "admin"]);

interface Values {
  /** Whose credits and plan: empty for who owns none. */
  organisation: string;
  credits: string;
  reason: string;
  plan: StaffUser["subscription_plan"];
  status: StaffUser["status"];
  suspension_reason: string;
  role: StaffUser["role"];
}

function getMoney(organisation: OwnedOrganisation | undefined) {
  const { id = "", credits = 0, subscription_plan: plan = "free" as const } = organisation ?? {};
  return { organisation: id, credits: String(credits), plan, reason: "" };
}

function getValues(user: StaffUser, chosen: string | null): Values {
  const { status, role } = user;
  return { ...getMoney(findOwned(user, chosen)), status, suspension_reason: "", role };
}

function isSuspension(user: StaffUser, { status }: Values): boolean {
  return status === "suspended" && user.status !== status;
}

function checkValues(values: Values, user: StaffUser): Partial<Record<keyof Values, string>> {
  const credits = values.credits.trim();
  if (!WHOLE_CREDITS.test(credits)) return { credits: "Enter a whole number of credits, 0 or more" };
  const wrong: Partial<Record<keyof Values, string>> = {};
  const has = findOwned(user, values.organisation)?.credits ?? 0;
  if (Number(credits) !== has && values.reason.trim() === "") {
    wrong.reason = "Enter a reason for the change of credits";
  }
  if (isSuspension(user, values) && values.suspension_reason.trim() === "") {
    wrong.suspension_reason = "Enter a reason for the suspension";
  }
  return wrong;
}

async function saveUser(user: StaffUser, values: Values): Promise<void> {
  const { organisation, plan, status, suspension_reason, role, reason } = values;
  const read = findOwned(user, organisation);
  const money = { organisation, credits: Number(values.credits), plan, reason };
  const body: UserChanges = {
    ...(read ? { ...money, credits_read: read.credits } : {}),
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

/** Credits that each plan gives a month, by its id; a plan without a number of its own is not there. */
type Allowances = ReadonlyMap<string, number>;

/** The credits after both changes: the plan gives its first month on top of those that were entered. */
function describeSum(credits: string, plan: string, from: string, allowances: Allowances): string {
  const given = allowances.get(plan) ?? allowances.get(from);
  if (given === undefined) return "The plan gives its first month on top of the credits above.";
  const entered = Number(credits);
  return `${formatCount(entered, "credit")} as above, and ${formatNumber(given)} of the plan's first month: ${formatNumber(entered + given)} in all. What is left of a trial lapses.`;
}

function listEffects(user: StaffUser, values: Values, allowances: Allowances): string[] {
  const { organisation, plan, status, credits } = values;
  const chosen = findOwned(user, organisation);
  const from = chosen?.subscription_plan ?? plan;
  const otherPlan = plan !== from;
  const otherStatus = status !== user.status;
  const effects: [boolean, string][] = [
    [otherPlan, OTHER_PLAN],
    [otherPlan && plan === "free", TO_FREE],
    [
      otherPlan && plan !== "free" && WHOLE_CREDITS.test(credits.trim()),
      describeSum(credits, plan, from, allowances),
    ],
    [isSuspension(user, values), SUSPENDED],
    [otherStatus && status === "active", READMITTED],
  ];
  return effects.filter(([holds]) => holds).map(([, words]) => words);
}

/** What the changes that are chosen will do, before they are saved. */
function Effects({ user, values }: { user: StaffUser; values: Values }): ReactNode {
  const { data } = usePlanCatalogue();
  const allowances = new Map(data?.plans.flatMap(({ id, limit }) => (limit ? [[id, limit]] : [])));
  const effects = listEffects(user, values, allowances);
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

interface FieldsProps {
  form: Form<Values>;
  user: StaffUser;
}

/** Why credits change and why an account is suspended, where that is so. */
function ReasonFields({ form, user }: FieldsProps): ReactNode {
  const has = findOwned(user, form.values.organisation)?.credits ?? 0;
  const changed = form.values.credits.trim() !== String(has);
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

/** Whose credits and plan these are. */
function describeWhose(organisation: OwnedOrganisation | undefined): string {
  return organisation
    ? `Credits and plan are those of the organisation ${organisation.name}.`
    : "This person owns no organisation, so there are no credits and no plan to change.";
}

/** Which of several organisations: its credits and plan take the place of those that were shown. */
function OrganisationField({ form, user }: FieldsProps): ReactNode {
  const { owned_organisations: owned } = user;
  if (owned.length < 2) return null;
  const choose = (id: string) => {
    for (const [name, value] of Object.entries(getMoney(findOwned(user, id)))) {
      form.set(name as keyof Values, value);
    }
  };
  return (
    <SelectField
      label="Organisation"
      hint="Its credits and plan stand below."
      error={form.errors.organisation}
      value={form.values.organisation}
      options={listOrganisationOptions(owned)}
      onChange={choose}
    />
  );
}

function MoneyFields({ form, user }: FieldsProps): ReactNode {
  const chosen = findOwned(user, form.values.organisation);
  if (!chosen) return null;
  return (
    <>
      <EntryField
        form={form}
        name="credits"
        label="Credits"
        hint={`Spendable now: ${formatNumber(chosen.credits)}`}
        inputMode="numeric"
      />
      <ChoiceField form={form} name="plan" label="Plan" options={PLANS} />
    </>
  );
}

function Fields({ form, user }: FieldsProps): ReactNode {
  return (
    <>
      <p>{describeWhose(findOwned(user, form.values.organisation))}</p>
      <OrganisationField form={form} user={user} />
      <div className="user-fields">
        <MoneyFields form={form} user={user} />
        <ChoiceField form={form} name="status" label="Status" options={STATUSES} />
        <ChoiceField form={form} name="role" label="Role" options={ROLES} hint={FULL_ACCESS} />
      </div>
      <ReasonFields form={form} user={user} />
    </>
  );
}

interface EditFormProps {
  user: StaffUser;
  /** The organisation that was chosen before; null: none was. */
  chosen: string | null;
  onDone: () => void;
  onMoved: (organisation: string) => void;
}

function EditForm({ user, chosen, onDone, onMoved }: EditFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: getValues(user, chosen),
    check: (values) => checkValues(values, user),
    send: async (values) => {
      try {
        await saveUser(user, values);
      } catch (error) {
        sayFailure(error, FAILED, "described");
        if (getRefusal(error, "BALANCE_CHANGED")) onMoved(values.organisation);
        throw error;
      } finally {
        void reloadUsers();
      }
      onDone();
    },
    fallback: FAILED,
  });
  return (
    <DialogForm form={form} action="Save changes" onCancel={onDone}>
      <Fields form={form} user={user} />
      <Effects user={user} values={form.values} />
    </DialogForm>
  );
}

async function loadUser(id: number): Promise<StaffUser> {
  const params = { path: { user_id: id } };
  return (await readData(api.GET("/api/admin/users/{user_id}", { params }))).user;
}

/** Status and role of an account, credits and plan of an organisation that it owns. When credits moved meanwhile, the form begins anew with them. */
export function EditUserDialog({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const [seen, setSeen] = useState(user);
  const [moved, setMoved] = useState<string | null>(null);
  const reading = useAction(
    async (organisation: string) => ({ fresh: await loadUser(user.id), organisation }),
    "Failed to load the user",
    {
      onDone: ({ fresh, organisation }) => {
        setSeen(fresh);
        setMoved(organisation);
      },
    },
  );
  return (
    <Dialog title="Edit User" description={`${user.name} · ${user.email}`} onClose={onClose}>
      <div className="stack-4">
        {moved ? (
          <p className="notice" role="status">
            The balance changed meanwhile. It is {formatNumber(findOwned(seen, moved)?.credits ?? 0)} credits
            now; nothing was saved.
          </p>
        ) : null}
        <EditForm
          key={seen.owned_organisations.map(({ credits }) => credits).join()}
          user={seen}
          chosen={moved}
          onDone={onClose}
          onMoved={(organisation) => reading.mutate(organisation)}
        />
      </div>
    </Dialog>
  );
}
