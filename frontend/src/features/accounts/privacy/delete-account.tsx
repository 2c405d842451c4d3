import type { ReactNode } from "react";

import type { Credits, User } from "../../../api/types";
import { deleteWithBody } from "../../../lib/client";
import { useCurrentUser } from "../profile/use-current-user";
import { clearSession, navigation } from "../../../lib/session";
import { useCredits } from "../../billing/subscriptions/use-subscription";
import { useForm } from "../../../lib/use-form";
import { formatPlan } from "../../../lib/labels";
import { Dialog } from "../../../ui/dialog";
import { DialogButton } from "../../../ui/dialog-button";
import { PasswordField, EntryField } from "../../../ui/form";
import { DialogForm } from "../../../ui/form-foot";
import { Section } from "../../../ui/section";
import { ErrorState, SkeletonRows } from "../../../ui/states";
import { UnspentCredits } from "../../billing/ledger/unspent-credits";

function DeletionEffects({ me, credits }: { me: User; credits: Credits }): ReactNode {
  return (
    <div className="stack-2">
      <h3>What is deleted</h3>
      <ul className="bullets">
        <li>Your account, API keys, webhooks, uploads, results and activity.</li>
        <li>
          Your plan: <strong>{formatPlan(me.subscription_plan)}</strong>. It ends now.
        </li>
        <li>
          <UnspentCredits credits={credits.credits} lots={credits.lots} />. They lapse.
        </li>
      </ul>
      <h3>What stays, and why</h3>
      <ul className="bullets">
        <li>
          Issued invoices and credit notes, without your account but with the name and address printed on
          them, <a href="/privacy#kept">as long as the law requires</a>.
        </li>
        <li>
          A keyed hash of your mailbox, so that free credits are given only once. No address can be read from
          it.
        </li>
      </ul>
    </div>
  );
}

interface Values {
  email: string;
  password: string;
}

function DeleteForm({ me, onCancel }: { me: User; onCancel: () => void }): ReactNode {
  const form = useForm<Values>({
    defaults: { email: "", password: "" },
    check: ({ email }) =>
      email.trim().toLowerCase() === me.email ? {} : { email: `Type ${me.email} to confirm` },
    send: async ({ email, password }) => {
      const body = { email: email.trim(), ...(password === "" ? {} : { password }) };
      await deleteWithBody("/api/user", body);
      clearSession();
      navigation.go("/?deleted=1");
      return true;
    },
    fallback: "Failed to delete account",
  });
  return (
    <DialogForm form={form} action="Delete account" kind="danger" onCancel={onCancel}>
      <EntryField form={form} name="email" label={`Type ${me.email} to confirm`} spellCheck={false} />
      <PasswordField
        form={form}
        name="password"
        hint="No password because you use Google? Sign in with Google again, then leave this empty."
      />
    </DialogForm>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }): ReactNode {
  const me = useCurrentUser();
  const credits = useCredits();
  const failed = [me, credits].find(({ isError }) => isError);
  return (
    <Dialog title="Delete account" description="This cannot be undone." onClose={onClose}>
      {failed ? <ErrorState query={failed} fallback="Failed to load the account" /> : null}
      {me.data && credits.data ? (
        <div className="stack-4">
          <DeletionEffects me={me.data} credits={credits.data} />
          <DeleteForm me={me.data} onCancel={onClose} />
        </div>
      ) : failed ? null : (
        <SkeletonRows count={6} />
      )}
    </Dialog>
  );
}

/** The way out for good. */
export function DeleteAccount(): ReactNode {
  return (
    <Section anchor="delete" id="delete-heading" title="Delete account" card>
      <p className="muted">
        All your data is deleted at once and you are signed out everywhere. We email you a confirmation.
      </p>
      <div className="row">
        <DialogButton kind="danger" dialog={(close) => <DeleteDialog onClose={close} />}>
          Delete account
        </DialogButton>
      </div>
    </Section>
  );
}
