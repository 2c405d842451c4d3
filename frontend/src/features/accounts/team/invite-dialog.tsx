import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { TeamRole } from "../../../api/types";
import { useForm } from "../../../lib/use-form";
import { FormDialog } from "../../../ui/form-dialog";
import { TextField } from "../../../ui/form";
import { inviteMember, refreshTeam, type Role } from "./calls";
import { RoleField } from "./role-field";

interface InviteDialogProps {
  organisation: string;
  roles: readonly TeamRole[];
  onClose: () => void;
}

/** Invites somebody by address, as what they are to be. */
export function InviteDialog({ organisation, roles, onClose }: InviteDialogProps): ReactNode {
  const [role, setRole] = useState<Role>("member");
  const form = useForm({
    defaults: { email: "" },
    check: ({ email }) => (email.trim() === "" ? { email: "Enter an address" } : {}),
    send: async ({ email }) => {
      await inviteMember(email.trim(), role);
      toast.success(`Invitation sent to ${email.trim()}`);
      refreshTeam();
      onClose();
    },
    fallback: "The invitation could not be sent",
  });
  return (
    <FormDialog
      title={`Invite to ${organisation}`}
      description="They get a mail with a link that works once, for 7 days."
      form={form}
      action="Send invitation"
      onClose={onClose}
    >
      <TextField form={form} name="email" label="Email" type="email" autoComplete="off" />
      <RoleField roles={roles} value={role} onChange={setRole} />
    </FormDialog>
  );
}
