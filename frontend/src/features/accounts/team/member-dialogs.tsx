import { useState, type ReactNode } from "react";

import type { Member, TeamRole } from "../../../api/types";
import { useAction } from "../../../lib/use-action";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { ActDialog } from "../../../ui/dialog";
import { changeRole, refreshTeam, removeMember, type Role } from "./calls";
import { nameRole, RoleField } from "./role-field";

interface MemberDialogProps {
  member: Member;
  organisation: string;
  onClose: () => void;
}

/** Another role for a member. */
export function RoleDialog({
  member,
  organisation,
  roles,
  onClose,
}: MemberDialogProps & { roles: readonly TeamRole[] }): ReactNode {
  const [role, setRole] = useState<Role>(member.role);
  const changing = useAction(() => changeRole(member, role), "The role could not be changed", {
    done: () => `${member.name} is now ${nameRole(roles, role)} of ${organisation}`,
    onEnd: () => {
      refreshTeam();
      onClose();
    },
  });
  return (
    <ActDialog
      title={`Role of ${member.name}`}
      description={`In ${organisation}. It takes effect with their next click, and we email them.`}
      action="Change role"
      busy={changing.isPending}
      disabled={role === member.role}
      onAct={() => changing.mutate()}
      onClose={onClose}
    >
      <RoleField roles={roles} value={role} onChange={setRole} />
    </ActDialog>
  );
}

/** Takes a member out. */
export function RemoveDialog({ member, organisation, onClose }: MemberDialogProps): ReactNode {
  return (
    <ConfirmDialog
      title={`Remove ${member.name}?`}
      action="Remove"
      act={() => removeMember(member)}
      done={() => `${member.name} no longer belongs to ${organisation}`}
      failed="The member could not be removed"
      onEnd={refreshTeam}
      onClose={onClose}
    >
      <p>
        {member.email} loses access to {organisation} at once, and we email them.
      </p>
      <p className="muted">
        Lists and API keys that they made stay. Keys are marked “maker has left”, so that you can revoke them.
      </p>
    </ConfirmDialog>
  );
}
