import type { ReactNode } from "react";

import { Checkbox } from "../../../ui/checkbox";
import { useListAccess } from "./use-list-access";

export const ONLY_ME = "Only me and admins";

interface PrivateChoiceProps {
  checked: boolean;
  onChange: (isPrivate: boolean) => void;
}

/** Whether other members see a list that is about to start; who is alone is not asked. */
export function PrivateChoice({ checked, onChange }: PrivateChoiceProps): ReactNode {
  const { isShared } = useListAccess();
  if (!isShared) return null;
  return (
    <Checkbox
      label={ONLY_ME}
      hint="Other members and their keys do not see the list. It can be changed later."
      checked={checked}
      onChange={onChange}
    />
  );
}
