import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { formatNumber } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { Time } from "../../../ui/values";
import type { Sort, View } from "./use-users";
import { UserMarks, PlanBadge } from "./user-badges";

export type OpenUser = (what: "drawer" | "edit" | "delete", user: StaffUser) => void;

/** Name, class, and what a press on it sorts by: up, down, and which of them first. */
const COLUMNS: readonly (readonly [string, string, readonly [Sort, Sort] | null])[] = [
  ["User", "", ["name", "-name"]],
  ["Plan", "", null],
  ["Credits", "number", ["-credits", "credits"]],
  ["Usage", "number", null],
  ["Joined", "", ["-created_at", "created_at"]],
  ["Actions", "", null],
];

const HINTS: Partial<Record<string, string>> = { Usage: "Credits used in the current credit month" };

interface HeadProps {
  name: string;
  className: string;
  sorts: readonly [Sort, Sort];
  view: View;
}

/** A header that sorts; pressed again, the other way round. */
function SortHead({ name, className, sorts: [first, other], view }: HeadProps): ReactNode {
  const sorted = [first, other].includes(view.sort);
  const down = view.sort.startsWith("-");
  const Glyph = down ? ArrowDown : ArrowUp;
  const order = down ? "descending" : "ascending";
  return (
    <th scope="col" className={className} aria-sort={sorted ? order : undefined}>
      <button type="button" onClick={() => view.set({ users_sort: view.sort === first ? other : first })}>
        {name}
        {sorted ? <Glyph size={14} aria-hidden /> : null}
      </button>
    </th>
  );
}

function Header({ view }: { view: View }): ReactNode {
  return (
    <thead>
      <tr>
        {COLUMNS.map(([name, className, sorts]) =>
          sorts ? (
            <SortHead key={name} name={name} className={className} sorts={sorts} view={view} />
          ) : (
            <th key={name} scope="col" className={className} title={HINTS[name]}>
              <span>{name}</span>
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}

function Row({ user, onOpen }: { user: StaffUser; onOpen: OpenUser }): ReactNode {
  return (
    <tr>
      <td className="user-cell-who">
        <div className="user-name">
          <button type="button" className="link-plain break" onClick={() => onOpen("drawer", user)}>
            {user.name}
          </button>
          <UserMarks user={user} />
        </div>
        <div className="muted small break">{user.email}</div>
      </td>
      <td className="user-cell-plan">
        <PlanBadge plan={user.subscription_plan} />
      </td>
      <td className="number" data-label="Credits">
        {formatNumber(user.credits)}
      </td>
      <td className="number" data-label="Usage">
        {formatNumber(user.monthly_usage)}
      </td>
      <td className="muted user-cell-joined" data-label="Joined">
        <Time at={user.created_at} />
      </td>
      <td className="user-cell-actions">
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
      </td>
    </tr>
  );
}

export function UserTable(props: { users: readonly StaffUser[]; view: View; onOpen: OpenUser }): ReactNode {
  const { users, view, onOpen } = props;
  return (
    <table className="table table-cards user-table">
      <Header view={view} />
      <tbody>
        {users.map((user) => (
          <Row key={user.id} user={user} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  );
}
