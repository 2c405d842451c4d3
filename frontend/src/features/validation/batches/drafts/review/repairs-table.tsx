import { useInfiniteQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { Draft, RepairKind, RepairRow } from "../../../../../api/types";
import type { Column } from "../../../../../ui/data-table/columns";
import { DataTable } from "../../../../../ui/data-table/data-table";
import { Pager } from "../../../../../ui/data-table/pager";
import { Loaded } from "../../../../../ui/states";
import { formatNumber } from "../../../../../lib/format";
import { getRepairsKey, loadRepairs } from "../calls";

const FIRST = "";

/** The pages of one kind so far. A choice makes their cursors void: then they are asked for again on the way on. */
function useRepairs(uploadId: string, kind: RepairKind) {
  const [page, setPage] = useState(0);
  const pages = useInfiniteQuery({
    queryKey: [...getRepairsKey(uploadId), kind],
    queryFn: ({ pageParam }) => loadRepairs(uploadId, kind, pageParam),
    initialPageParam: FIRST,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    staleTime: Infinity,
  });
  const turn = async () => {
    const loaded = pages.data?.pages.length ?? 0;
    if (page + 1 >= loaded) {
      if (pages.isStale) await pages.refetch();
      await pages.fetchNextPage();
    }
    setPage(page + 1);
  };
  return { pages, page, setPage, turn };
}

interface RepairsTableProps {
  draft: Draft;
  kind: RepairKind;
  label: string;
  columns: readonly Column<RepairRow>[];
}

/** Repairs of one kind in the order of the rows, a hundred at once. */
export function RepairsTable({ draft, kind, label, columns }: RepairsTableProps): ReactNode {
  const { pages, page, setPage, turn } = useRepairs(draft.upload_id, kind);
  const hasMore = page + 1 < (pages.data?.pages.length ?? 0) || pages.hasNextPage;
  return (
    <Loaded query={pages} fallback="The repairs could not be loaded" rows={4}>
      {(data) => {
        const rows = data.pages[page]?.repairs ?? [];
        const before = data.pages.slice(0, page).reduce((sum, { repairs }) => sum + repairs.length, 0);
        return (
          <DataTable
            label={label}
            phone="cards"
            className="review-table"
            columns={columns}
            rows={rows}
            getKey={({ row, column }) => `${row}.${column ?? ""}`}
            busy={pages.isFetching}
            foot={
              hasMore || page > 0 ? (
                <Pager
                  back={page > 0 ? () => setPage(page - 1) : null}
                  on={hasMore ? () => void turn() : null}
                >
                  {formatNumber(before + 1)}–{formatNumber(before + rows.length)}
                </Pager>
              ) : null
            }
          />
        );
      }}
    </Loaded>
  );
}
