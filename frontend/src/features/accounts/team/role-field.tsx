import type { ReactNode } from "react";

import type { TeamRole } from "../../../api/types";
import { RadioField } from "../../../ui/radio-field";
import type { Role } from "./calls";

interface RoleFieldProps {
  roles: readonly TeamRole[];
  value: Role;
  onChange: (role: Role) => void;
}

/** The roles that one may give, each with what it includes. */
export function RoleField({ roles, value, onChange }: RoleFieldProps): ReactNode {
  return (
    <RadioField
      legend="Role"
      name="role"
      options={roles
        .filter(({ may_give }) => may_give)
        .map(({ role, name, sentence }) => [role, name, sentence] as const)}
      value={value}
      onChange={onChange}
    />
  );
}

/** How a role is called. */
export function nameRole(roles: readonly TeamRole[], role: string): string {
  return roles.find((one) => one.role === role)?.name ?? role;
}
