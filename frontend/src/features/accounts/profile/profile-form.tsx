import type { ReactNode } from "react";
import { toast } from "sonner";

import type { User } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useCurrentUser } from "./use-current-user";
import { queryClient } from "../../../lib/query";
import { describeRefusal, isClosed, mayDo } from "../../../lib/rights";
import { useForm, type Form } from "../../../lib/use-form";
import { formatPlan } from "../../../lib/labels";
import { Avatar } from "../../../ui/avatar";
import { InputField } from "../../../ui/field";
import { TextField, EntryField } from "../../../ui/form";
import { PageForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { Loaded, SkeletonBlock } from "../../../ui/states";

interface Values {
  name: string;
  company: string;
  address: string;
  vat_id: string;
}

/** An organisation that is closed to the person now keeps what invoices say: their own name alone is sent. */
async function saveProfile({ name: own, ...billing }: Values): Promise<void> {
  const body = isClosed() ? { name: own } : { name: own, ...billing };
  const { message, name, company, address, vat_id } = await readData(api.PUT("/api/user/profile", { body }));
  queryClient.setQueryData<User>(["me"], (me) => (me ? { ...me, name, company, address, vat_id } : me));
  toast.success(message);
}

function ProfileIdentity({ name, email }: { name: string; email: string }): ReactNode {
  return (
    <div className="row">
      <Avatar name={name} large />
      <div>
        <strong className="break">{name}</strong>
        <p className="muted break">{email}</p>
      </div>
    </div>
  );
}

/** What invoices of the organisation say; only who may pay for it changes that. */
function BillingFields({ form }: { form: Form<Values> }): ReactNode {
  return (
    <fieldset className="stack-4" disabled={!mayDo("pay")}>
      {mayDo("pay") ? null : <p className="hint break">{describeRefusal()}</p>}
      <TextField
        form={form}
        name="company"
        label="Company (optional)"
        autoComplete="organization"
        maxLength={255}
      />
      <TextField
        form={form}
        name="address"
        label="Address (optional)"
        hint="Printed on invoices."
        autoComplete="street-address"
        maxLength={500}
      />
      <EntryField
        form={form}
        name="vat_id"
        label="VAT ID (optional)"
        hint="Printed on invoices that are issued from now on."
        maxLength={30}
      />
    </fieldset>
  );
}

function ProfileFields({ me }: { me: User }): ReactNode {
  const form = useForm<Values>({
    defaults: {
      name: me.name,
      company: me.company ?? "",
      address: me.address ?? "",
      vat_id: me.vat_id ?? "",
    },
    check: ({ name }) => (name.trim() === "" ? { name: "Enter your name" } : {}),
    send: saveProfile,
    fallback: "Failed to update profile",
    says: "toast",
    unsent: "profile",
  });
  return (
    <PageForm form={form} className="stack-4 settings-form" action="Save profile">
      <ProfileIdentity name={form.values.name} email={me.email} />
      <TextField form={form} name="name" label="Name" autoComplete="name" maxLength={150} />
      <InputField
        label="Email"
        hint="The address you sign in with. It cannot be changed."
        type="email"
        value={me.email}
        disabled
        readOnly
      />
      {isClosed() ? <p className="hint break">{describeRefusal()}</p> : <BillingFields form={form} />}
    </PageForm>
  );
}

/** Who the customer is. */
export function ProfileForm(): ReactNode {
  const me = useCurrentUser();
  return (
    <Section
      id="profile-heading"
      title="Profile"
      card
      anchor="profile"
      aside={
        me.data ? (
          <p className="muted">
            {me.data.subscription_plan === null ? null : `${formatPlan(me.data.subscription_plan)} plan`}
            {mayDo("pay") ? (
              <>
                {" · "}
                <a href="/account-settings?tab=subscription">Manage Subscription</a>
              </>
            ) : null}
          </p>
        ) : null
      }
    >
      <Loaded
        query={me}
        fallback="Failed to load the profile"
        rows={<SkeletonBlock className="skeleton-profile" />}
      >
        {(data) => <ProfileFields me={data} />}
      </Loaded>
    </Section>
  );
}
