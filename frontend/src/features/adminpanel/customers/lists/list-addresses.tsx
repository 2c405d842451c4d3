import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ListAddresses as Page } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";
import { formatNumber, formatCount } from "../../../../lib/format";
import { CategoryBadge } from "../../../../ui/status-badge";
import { ShowMore } from "../../../../ui/states";
import { TableHead } from "../../../../ui/table";
import { focusOnArrival } from "../../../../lib/focus";
import { AccessReasonForm } from "./access-reason-form";
import { reloadActivity } from "../user-activity";

interface ListProps {
  userId: number;
  batchId: string;
}

interface AddressQuery extends ListProps {
  reason: string;
}

const COLUMNS = [
  ["Row", "number"],
  ["Address", ""],
  ["Verdict", ""],
] as const;

function loadAddresses({ userId, batchId, reason }: AddressQuery, cursor: string): Promise<Page> {
  const params = { path: { user_id: userId, batch_id: batchId } };
  const path = "/api/admin/users/{user_id}/lists/{batch_id}/addresses";
  return readData(api.POST(path, { params, body: { reason, cursor } }));
}

function AddressTable({ addresses }: Pick<Page, "addresses">): ReactNode {
  return (
    <div className="table-frame">
      <table className="table user-ledger">
        <TableHead columns={COLUMNS} />
        <tbody>
          {addresses.map(({ row, email, category }) => (
            <tr key={row}>
              <td className="number muted">{formatNumber(row)}</td>
              <td className="break">{email}</td>
              <td>
                <CategoryBadge category={category} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function AddressPages({ look, first }: { look: AddressQuery; first: Page }): ReactNode {
  const pages = useInfiniteQuery({
    queryKey: ["admin", "list-addresses", look],
    queryFn: ({ pageParam }) => loadAddresses(look, pageParam),
    initialData: { pages: [first], pageParams: [""] },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
    gcTime: 0,
  });
  const addresses = pages.data.pages.flatMap((page) => page.addresses);
  return (
    <section
      className="stack-2 arrival"
      aria-label={`Addresses of ${look.batchId}`}
      tabIndex={-1}
      ref={focusOnArrival}
    >
      <p className="muted small">{formatCount(first.total, "checked address", "checked addresses")}</p>
      <AddressTable addresses={addresses} />
      <ShowMore pages={pages} things="addresses" />
    </section>
  );
}

/** The addresses of a customer's list, after a reason. */
export function ListAddresses({ onCancel, ...list }: ListProps & { onCancel: () => void }): ReactNode {
  const [found, setFound] = useState<{ look: AddressQuery; first: Page } | null>(null);
  if (found) return <AddressPages {...found} />;
  return (
    <AccessReasonForm
      action="Show addresses"
      fallback="Failed to load the addresses"
      send={async ({ reason }) => {
        const look = { ...list, reason };
        setFound({ look, first: await loadAddresses(look, "") });
        await reloadActivity(list.userId);
      }}
      onCancel={onCancel}
    />
  );
}
