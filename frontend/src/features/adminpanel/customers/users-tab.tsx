import { SearchX, UserPlus, Users } from "lucide-react";
import { useState, type ReactNode } from "react";

import type { StaffUser, StaffUsers } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { SearchField } from "../../../ui/filters";
import { LiveView } from "../../../ui/live-view";
import { EmptyState } from "../../../ui/states";
import { ColleagueDeletions } from "./deletions/colleague-deletions";
import { CreateAdminDialog } from "./create-admin-dialog";
import { DeleteUserDialog } from "./deletions/delete-user-dialog";
import { EditUserDialog } from "./edit-user-dialog";
import { TestUsersDialog } from "./test-users-dialog";
import { useFocusFallback } from "./use-focus-fallback";
import { PAGE_SIZE, PLANS, SORTS, USERS_HEADING, useUsers, useUsersView, type View } from "./use-users";
import { UserDrawer } from "./user-drawer";
import { UserTable, type OpenUser } from "./user-table";

function Tools({ view }: { view: View }): ReactNode {
  return (
    <div className="toolbar">
      <SearchField
        label="Search users"
        hint="Name or email"
        value={view.search}
        onSearch={(user) => view.set({ user }, "replace")}
      />
      <select
        className="input"
        aria-label="Plan"
        value={view.plan}
        onChange={(event) => view.set({ users_plan: event.target.value })}
      >
        {PLANS.map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
      <select
        className="input"
        aria-label="Sort by"
        value={view.sort}
        onChange={(event) => view.set({ users_sort: event.target.value })}
      >
        {SORTS.map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}

function Pager({ found, view }: { found: StaffUsers; view: View }): ReactNode {
  const { total, page, users } = found;
  const first = (page - 1) * PAGE_SIZE;
  const last = first + users.length;
  return (
    <nav className="pager" aria-label="Pages of users">
      <span>
        {total > PAGE_SIZE ? `${formatNumber(first + 1)}–${formatNumber(last)} of ` : ""}
        {formatCount(total, "user")}
      </span>
      {total > PAGE_SIZE ? (
        <div className="row">
          <Button disabled={page === 1} onClick={() => view.set({ users_page: String(page - 1) })}>
            Previous
          </Button>
          <Button disabled={last >= total} onClick={() => view.set({ users_page: String(page + 1) })}>
            Next
          </Button>
        </div>
      ) : null}
    </nav>
  );
}

function NoUsers({ view }: { view: View }): ReactNode {
  if (view.page > 1) {
    const first = <Button onClick={() => view.set({})}>First page</Button>;
    return <EmptyState icon={Users} title="No users on this page" action={first} />;
  }
  const clear = view.filtered ? (
    <Button onClick={() => view.set({ user: null, users_plan: null })}>Clear filters</Button>
  ) : null;
  return (
    <EmptyState icon={SearchX} title="No users found" action={clear}>
      An account is found by any part of its name or address.
    </EmptyState>
  );
}

function UserList({ found, view, onOpen }: { found: StaffUsers; view: View; onOpen: OpenUser }): ReactNode {
  return (
    <div className="table-frame">
      {found.users.length > 0 ? (
        <>
          <UserTable users={found.users} view={view} onOpen={onOpen} />
          <Pager found={found} view={view} />
        </>
      ) : (
        <NoUsers view={view} />
      )}
    </div>
  );
}

type DialogState = { what: "drawer" | "edit" | "delete"; user: StaffUser } | { what: "admin" | "tests" };

function UserDialog({
  asked,
  onAsk,
}: {
  asked: DialogState;
  onAsk: (asked: DialogState | null) => void;
}): ReactNode {
  const close = () => onAsk(null);
  switch (asked.what) {
    case "admin":
      return <CreateAdminDialog onClose={close} />;
    case "tests":
      return <TestUsersDialog onClose={close} />;
    case "edit":
      return <EditUserDialog user={asked.user} onClose={close} />;
    case "delete":
      return <DeleteUserDialog user={asked.user} onClose={close} />;
    case "drawer": {
      const { user } = asked;
      return (
        <UserDrawer id={user.id} name={user.name} onClose={close} onAsk={(what) => onAsk({ what, user })} />
      );
    }
  }
}

/** Every account: found, looked at, edited, deleted; new administrators. */
export function UsersTab(): ReactNode {
  const view = useUsersView();
  const users = useUsers(view);
  const [asked, setAsked] = useState<DialogState | null>(null);
  useFocusFallback(USERS_HEADING);
  return (
    <section className="stack-4" aria-labelledby={USERS_HEADING}>
      <div className="row row-between">
        <h2 id={USERS_HEADING} className="arrival" tabIndex={-1}>
          User Management
        </h2>
        <div className="row">
          <Button onClick={() => setAsked({ what: "tests" })}>Delete Test Users</Button>
          <Button kind="primary" onClick={() => setAsked({ what: "admin" })}>
            <UserPlus size={16} aria-hidden />
            Create Admin
          </Button>
        </div>
      </div>
      <ColleagueDeletions />
      <Tools view={view} />
      <LiveView query={users} fallback="Failed to load users" rows={8}>
        {(found) => <UserList found={found} view={view} onOpen={(what, user) => setAsked({ what, user })} />}
      </LiveView>
      {asked ? <UserDialog asked={asked} onAsk={setAsked} /> : null}
    </section>
  );
}
