import Ellipsis from "lucide-react/icons/ellipsis";
import type { ReactNode } from "react";

import "./dialog"; // most pages with rows have it: what both are made of stays in one file then
import { Item, Menu } from "./menu";
import { isViewing, VIEW_ONLY } from "./viewing";

export interface RowAction {
  /** What the entry says. */
  words: string;
  /** What it is called where the row around it cannot be seen. */
  name: string;
  act: () => void;
  /** Says that it asks for what staff who look at an account are refused. */
  changes?: boolean;
}

export interface ActionMenuProps {
  /** What the row is: "CRM sync". */
  row: string;
  actions: readonly RowAction[];
  /** Says that one of them is being worked on. */
  busy?: boolean;
}

function ActionItem({ action: { words, name, act, changes = false } }: { action: RowAction }): ReactNode {
  const refused = changes && isViewing();
  return (
    <Item
      className="menu-item"
      aria-label={name}
      disabled={refused}
      title={refused ? VIEW_ONLY : undefined}
      onSelect={() => act()}
    >
      {words}
    </Item>
  );
}

/** The menu itself; `row-menu.tsx` loads it. */
export function ActionMenu({ row, actions, busy = false }: ActionMenuProps): ReactNode {
  return (
    <Menu label={`More actions for ${row}`} icon={Ellipsis} busy={busy}>
      {actions.map((action) => (
        <ActionItem key={action.name} action={action} />
      ))}
    </Menu>
  );
}
