import { useRef, useState, type ReactNode } from "react";

import type { UserDetail } from "../../../../api/types";
import { formatCount } from "../../../../lib/format";
import { toSentenceCase } from "../../../../lib/labels";
import { Button } from "../../../../ui/button";
import { FindAddress } from "./find-address";
import { ListAddresses } from "./list-addresses";

type Batch = UserDetail["batches"][number];

interface UserListProps {
  userId: number;
  batch: Batch;
  /** Accounts of staff and protected ones are not looked into. */
  closed: boolean;
}

function UserList({ userId, batch, closed }: UserListProps): ReactNode {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const cancel = () => {
    setOpen(false);
    opener.current?.focus();
  };
  const { id, total_emails, processing_status } = batch;
  return (
    <li className="stack-2">
      <div className="user-list">
        <span className="break">
          {formatCount(total_emails, "address", "addresses")} <span className="mono small">{id}</span>
        </span>
        <span className="row">
          <span className="muted small">{toSentenceCase(processing_status)}</span>
          {closed ? null : (
            <Button
              ref={opener}
              aria-expanded={open}
              aria-label={open ? `Hide the addresses of ${id}` : `Addresses of ${id}…`}
              onClick={() => setOpen(!open)}
            >
              {open ? "Hide" : "Addresses…"}
            </Button>
          )}
        </span>
      </div>
      {open ? <ListAddresses userId={userId} batchId={id} onCancel={cancel} /> : null}
    </li>
  );
}

/** The newest lists of an account; their addresses, and whether one is among them, after a reason. */
export function UserLists({ user, batches }: Pick<UserDetail, "user" | "batches">): ReactNode {
  const closed = user.is_colleague || user.is_protected;
  return (
    <div className="stack-2">
      <h3>Newest lists</h3>
      {batches.length === 0 ? <p className="muted">No lists.</p> : null}
      <ul className="user-lists">
        {batches.map((batch) => (
          <UserList key={batch.id} userId={user.id} batch={batch} closed={closed} />
        ))}
      </ul>
      {closed ? null : <FindAddress userId={user.id} />}
    </div>
  );
}
