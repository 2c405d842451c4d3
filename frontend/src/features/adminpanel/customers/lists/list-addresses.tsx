import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ListAddresses as Page } from "../../../../api/types";
import { api, dataOf } from "../../../../lib/client";
import { formatNumber, plural } from "../../../../lib/format";
import { CategoryBadge } from "../../../../ui/status-badge";
import { ShowMore } from "../../../../ui/states";
import { TableHead } from "../../../../ui/table";
import { focusOnArrival } from "../../../../lib/focus";
import { LookForm } from "./look-form";
import { reloadActivity } from "../user-activity";

interface ListProps {
  userId: number;
  batchId: string;
}

interface Look extends ListProps {
  reason: string;
}

const COLUMNS = [
  ["Row", "number"],
  ["Address", ""],
  ["Verdict", ""],
] as const;

function load({ userId, batchId, reason }: Look, cursor: string): Promise<Page> {
  const params = { path: { user_id: userId, batch_id: batchId } };
  const path = "/api/admin/users/{user_id}/lists/{batch_id}/addresses";
  return dataOf(api.POST(path, { params, body: { reason, cursor } }));
}

function Table({ addresses }: Pick<Page, "addresses">): ReactNode {
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

function Shown({ look, first }: { look: Look; first: Page }): ReactNode {
  const pages = useInfiniteQuery({
    queryKey: ["admin", "list-addresses", look],
    queryFn: ({ pageParam }) => load(look, pageParam),
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
      <p className="muted small">{plural(first.total, "checked address", "checked addresses")}</p>
      <Table addresses={addresses} />
      <ShowMore pages={pages} things="addresses" />
    </section>
  );
}

/** The addresses of a customer's list, after a reason. */
export function ListAddresses({ onCancel, ...list }: ListProps & { onCancel: () => void }): ReactNode {
  const [found, setFound] = useState<{ look: Look; first: Page } | null>(null);
  if (found) return <Shown {...found} />;
  return (
    <LookForm
      action="Show addresses"
      fallback="Failed to load the addresses"
      send={async ({ reason }) => {
        const look = { ...list, reason };
        setFound({ look, first: await load(look, "") });
        await reloadActivity(list.userId);
      }}
      onCancel={onCancel}
    />
  );
}
