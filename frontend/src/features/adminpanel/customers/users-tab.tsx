import UserPlus from "lucide-react/icons/user-plus";
import { useState, type ReactNode } from "react";

import type { StaffUser } from "../../../api/types";
import { useRecord, type OpenRecord } from "../../../lib/use-record";
import { Button } from "../../../ui/button";
import { FilterBar } from "../../../ui/data-table/filter-bar";
import { NumberedPager } from "../../../ui/data-table/pager";
import { QueryTable } from "../../../ui/data-table/query-table";
import { ColleagueDeletions } from "./deletions/colleague-deletions";
import { CreateAdminDialog } from "./create-admin-dialog";
import { DeleteUserDialog } from "./deletions/delete-user-dialog";
import { EditUserDialog } from "./edit-user-dialog";
import { TestUsersDialog } from "./test-users-dialog";
import { useFocusFallback } from "./use-focus-fallback";
import { PAGE_SIZE, USERS_HEADING, useUsers, useUsersView } from "./use-users";
import { UserDrawer } from "./user-drawer";
import { buildUserColumns } from "./user-table";
import { useLoadToast } from "../../../lib/use-action";

type DialogState = { what: "edit" | "delete"; user: StaffUser } | { what: "admin" | "tests" };

interface UserDialogProps {
  asked: DialogState;
  onAsk: (asked: DialogState | null) => void;
}

function UserDialog({ asked, onAsk }: UserDialogProps): ReactNode {
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
  }
}

interface UserRecordProps {
  record: OpenRecord;
  rows: readonly StaffUser[];
  onAsk: (asked: DialogState) => void;
}

/** The account that is open, if one is. */
function UserRecord({ record, rows, onAsk }: UserRecordProps): ReactNode {
  const { id } = record;
  if (id === null) return null;
  return (
    <UserDrawer
      place={{ id, ids: rows.map((row) => String(row.id)), record }}
      name={rows.find((row) => String(row.id) === id)?.name}
      onAsk={(what, user) => {
        record.close();
        onAsk({ what, user });
      }}
    />
  );
}

/** Every account: found, looked at, edited, deleted; new administrators. */
export function UsersTab(): ReactNode {
  const { view, query, sorting } = useUsersView();
  const users = useUsers(query);
  useLoadToast(users, "Failed to load users", "described");
  const [asked, setAsked] = useState<DialogState | null>(null);
  const record = useRecord();
  useFocusFallback(USERS_HEADING);
  return (
    <div className="stack">
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
        <FilterBar view={view} />
        <QueryTable
          label="Users"
          phone="cards"
          className="user-table"
          query={users}
          fallback="Failed to load users"
          skeleton={8}
          view={{ ...view, filtered: view.page === 1 }}
          columns={buildUserColumns((what, user) =>
            what === "drawer" ? record.open(user.id) : setAsked({ what, user }),
          )}
          pick={(found) => found.users}
          getKey={({ id }) => id}
          sorting={sorting}
          empty={{
            title: "No users on this page",
            action: <Button onClick={() => view.setPage(1)}>First page</Button>,
          }}
          noMatch={{
            title: "No users found",
            text: "An account is found by any part of its name, its address, or an organisation that it owns.",
          }}
          foot={({ users: { length }, total }) => (
            <NumberedPager view={view} size={PAGE_SIZE} shown={length} total={total} thing="user" />
          )}
        />
      </section>
      <UserRecord record={record} rows={users.data?.users ?? []} onAsk={setAsked} />
      {asked ? <UserDialog asked={asked} onAsk={setAsked} /> : null}
    </div>
  );
}
