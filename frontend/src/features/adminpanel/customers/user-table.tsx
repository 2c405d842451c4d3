import type { ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { Address } from "../../../ui/address";
import { Button } from "../../../ui/button";
import { numberColumn, timeColumn, textColumn, type Column } from "../../../ui/data-table/columns";
import { UserMarks, PlanBadge } from "./user-badges";

export type OpenUser = (what: "drawer" | "edit" | "delete", user: StaffUser) => void;

function UserName({ user, onOpen }: { user: StaffUser; onOpen: OpenUser }): ReactNode {
  return (
    <>
      <div className="user-name">
        <button
          type="button"
          className="link-plain break"
          data-record={user.id}
          onClick={() => onOpen("drawer", user)}
        >
          {user.name}
        </button>
        <UserMarks user={user} />
      </div>
      <div className="muted small">
        <Address email={user.email} />
      </div>
    </>
  );
}

function UserActions({ user, onOpen }: { user: StaffUser; onOpen: OpenUser }): ReactNode {
  return (
    <div className="user-actions">
      <Button aria-label={`Edit ${user.email}`} onClick={() => onOpen("edit", user)}>
        Edit
      </Button>
      <Button
        kind="quiet"
        aria-label={`Delete ${user.email}`}
        disabled={user.is_protected}
        title={user.is_protected ? "This account is protected" : undefined}
        onClick={() => onOpen("delete", user)}
      >
        Delete
      </Button>
    </div>
  );
}

const COLUMNS: readonly Column<StaffUser>[] = [
  textColumn("plan", "Plan", (user) => <PlanBadge plan={user.subscription_plan} />, {
    className: "user-cell-plan",
    labelled: false,
  }),
  numberColumn("credits", "Credits", (user) => user.credits, { sort: "down" }),
  numberColumn("usage", "Usage", (user) => user.monthly_usage, {
    hint: "Credits used in the current credit month",
  }),
  timeColumn("created_at", "Joined", (user) => user.created_at, {
    sort: "down",
    className: "muted user-cell-joined",
  }),
];

/** The columns of the table of users; what is pressed in them opens a dialog about one. */
export function buildUserColumns(onOpen: OpenUser): readonly Column<StaffUser>[] {
  return [
    textColumn("name", "User", (user) => <UserName user={user} onOpen={onOpen} />, {
      sort: "up",
      className: "user-cell-who",
      labelled: false,
    }),
    ...COLUMNS,
    textColumn("actions", "Actions", (user) => <UserActions user={user} onOpen={onOpen} />, {
      className: "user-cell-actions",
      labelled: false,
    }),
  ];
}
