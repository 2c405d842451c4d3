import type { ReactNode } from "react";
import { toast } from "sonner";

import type { StaffUser, UserDetail } from "../../../../api/types";
import { api } from "../../../../lib/client";
import { useForm } from "../../../../lib/use-form";
import { formatPlan } from "../../../../lib/labels";
import { Dialog } from "../../../../ui/dialog";
import { EntryField } from "../../../../ui/form";
import { DialogForm } from "../../../../ui/form-foot";
import { Loaded } from "../../../../ui/states";
import { UnspentCredits } from "../../../billing/ledger/unspent-credits";
import { useUserDetail } from "../use-user-detail";
import { DeletionRequestForm } from "./deletion-request-form";
import { reloadUsers } from "../use-users";

const SECOND = "A second administrator must confirm it within 7 days; then it cannot be undone.";

function DeletionEffects({ user, lots }: UserDetail): ReactNode {
  return (
    <div className="stack-2">
      <h3>What goes</h3>
      <ul className="bullets">
        <li>The account with its sessions, API keys, webhooks, uploads, results and activity.</li>
        <li>
          <UnspentCredits credits={user.credits} lots={lots} />. They lapse; nothing is refunded for them.
        </li>
        <li>
          The plan <strong>{formatPlan(user.subscription_plan)}</strong>. A PayPal agreement is cancelled
          first; until PayPal confirms it, the account is locked and it is asked again.
        </li>
      </ul>
      <h3>What stays, and why</h3>
      <ul className="bullets">
        <li>
          Issued invoices and credit notes, without the account but with the name and address printed on them,{" "}
          <a href="/privacy#kept">as long as the law requires</a>.
        </li>
        <li>A keyed hash of the mailbox, so that sign-up credits are given once. It shows no address.</li>
        <li>
          The record of who deleted this account
          {user.is_colleague ? ", and of what it did as staff, with its name" : ""}.
        </li>
      </ul>
    </div>
  );
}

function DeleteForm({ user, onDone }: { user: StaffUser; onDone: () => void }): ReactNode {
  const form = useForm({
    defaults: { email: "" },
    check: ({ email }) =>
      email.trim().toLowerCase() === user.email ? {} : { email: `Type ${user.email} to confirm` },
    send: async () => {
      await api.DELETE("/api/admin/users/{user_id}", { params: { path: { user_id: user.id } } });
      toast.success(`User ${user.email} deleted successfully!`);
      onDone();
      await reloadUsers(user.id);
    },
    fallback: "Failed to delete user",
    says: "both",
  });
  return (
    <DialogForm form={form} action="Delete user" kind="danger" onCancel={onDone}>
      <EntryField form={form} name="email" label={`Type ${user.email}`} spellCheck={false} />
    </DialogForm>
  );
}

/** Names what goes and what stays, and asks for the address before an account is deleted for good. */
export function DeleteUserDialog({ user, onClose }: { user: StaffUser; onClose: () => void }): ReactNode {
  const detail = useUserDetail(user.id);
  return (
    <Dialog
      title={`Delete ${user.name}?`}
      description={user.is_colleague ? SECOND : "This cannot be undone."}
      onClose={onClose}
    >
      <Loaded query={detail} fallback="Failed to load the user" rows={6}>
        {(found) => (
          <div className="stack-4">
            <DeletionEffects {...found} />
            {user.is_colleague ? (
              <DeletionRequestForm user={user} onDone={onClose} />
            ) : (
              <DeleteForm user={user} onDone={onClose} />
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}
