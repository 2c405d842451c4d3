import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { ListAddresses as Page } from "../../../../api/types";
import { api, readData } from "../../../../lib/client";
import { formatCount } from "../../../../lib/format";
import { Address } from "../../../../ui/address";
import { numberColumn, textColumn, type Column } from "../../../../ui/data-table/columns";
import { DataTable } from "../../../../ui/data-table/data-table";
import { CategoryBadge } from "../../../../ui/status-badge";
import { ShowMore } from "../../../../ui/states";
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

const COLUMNS: readonly Column<Page["addresses"][number]>[] = [
  numberColumn("row", "Row", ({ row }) => row, { className: "muted" }),
  textColumn("email", "Address", ({ email }) => <Address email={email} />),
  textColumn("category", "Verdict", ({ category }) => <CategoryBadge category={category} />),
];

function loadAddresses({ userId, batchId, reason }: AddressQuery, cursor: string): Promise<Page> {
  const params = { path: { user_id: userId, batch_id: batchId } };
  const path = "/api/admin/users/{user_id}/lists/{batch_id}/addresses";
  return readData(api.POST(path, { params, body: { reason, cursor } }));
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
      <DataTable
        label="Addresses"
        className="user-ledger"
        columns={COLUMNS}
        rows={addresses}
        getKey={({ row }) => row}
      />
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
