import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { AdminMade } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { useCurrentUser } from "../../accounts/profile/use-current-user";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { PasswordField, EntryField } from "../../../ui/form";
import { reloadUsers } from "./use-users";
import { FULL_ACCESS } from "./user-badges";
import { DialogForm } from "../../../ui/form-foot";
import { Secret } from "../../../ui/shown-once";

const EMPTY = { email: "", name: "", password: "", company_name: "" };
type Values = typeof EMPTY;

function checkValues({ email, name }: Values, domain: string): Partial<Values> {
  const wrong: Partial<Values> = {};
  if (email.trim() === "") wrong.email = "Enter an email address";
  // Until it is known who is signed in, the server says it.
  else if (domain && !email.trim().toLowerCase().endsWith(`@${domain}`))
    wrong.email = `Admin email must end with @${domain}`;
  if (name.trim() === "") wrong.name = "Enter a name";
  return wrong;
}

function createAdmin(values: Values): Promise<AdminMade> {
  return readData(api.POST("/api/admin/create-admin", { body: values }));
}

interface AdminFormProps {
  domain: string;
  onMade: (made: AdminMade) => void;
  onCancel: () => void;
}

function AdminForm({ domain, onMade, onCancel }: AdminFormProps): ReactNode {
  const form = useForm<Values>({
    defaults: EMPTY,
    check: (values) => checkValues(values, domain),
    send: async (values) => {
      const made = await createAdmin(values);
      toast.success(`Admin created! Password: ${made.password}`, {
        duration: Infinity,
        action: { label: "Copy", onClick: () => void navigator.clipboard.writeText(made.password) },
      });
      onMade(made);
      await reloadUsers();
    },
    fallback: "Failed to create admin",
    says: "toast",
  });
  return (
    <DialogForm form={form} action="Create admin" onCancel={onCancel}>
      <p className="muted">{FULL_ACCESS}</p>
      <EntryField
        form={form}
        name="email"
        label="Email"
        hint={domain ? `It must end with @${domain}.` : ""}
        type="email"
      />
      <EntryField form={form} name="name" label="Name" maxLength={150} />
      <PasswordField
        form={form}
        name="password"
        label="Password (optional)"
        hint="Empty: we make one. It works once, within 24 hours; then they choose their own."
        fresh
      />
      <EntryField form={form} name="company_name" label="Company name (optional)" maxLength={255} />
    </DialogForm>
  );
}

function CreatedAdmin({ made, onClose }: { made: AdminMade; onClose: () => void }): ReactNode {
  return (
    <div className="stack-4 admin-made">
      <p className="break">
        <strong>{made.user.email}</strong> is an administrator. Hand over this password; it is shown only
        here, is not mailed, and expires after 24 hours. At the first sign-in it must be replaced.
      </p>
      <Secret text={made.password} copy="Copy password" />
      <div className="dialog-foot">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

/** Makes an administrator; the password stays here until it is dismissed. */
export function CreateAdminDialog({ onClose }: { onClose: () => void }): ReactNode {
  const me = useCurrentUser();
  const [made, setMade] = useState<AdminMade | null>(null);
  const domain = (me.data?.email ?? "").split("@").at(-1) ?? "";
  return (
    <Dialog title={made ? "Admin created" : "Create Admin"} onClose={onClose} closable={made === null}>
      {made ? (
        <CreatedAdmin made={made} onClose={onClose} />
      ) : (
        <AdminForm domain={domain} onMade={setMade} onCancel={onClose} />
      )}
    </Dialog>
  );
}
