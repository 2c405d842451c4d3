import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";

import type { Deal, Deals } from "../../../api/types";
import { reloadAdmin, useAdminQuery } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { queryClient } from "../../../lib/query";
import { useUrlState } from "../../../lib/url-state";
import { findOption } from "../../../ui/select";
import { DEALS, formatStage } from "../labels";
import { moveDeal, findPlace, type BoardPlace } from "./board-data";

export const CLOSINGS = [
  ["", "Any close date"],
  ["overdue", "Overdue"],
  ["soon", "Within 30 days"],
] as const;
const MOVE = ["deal-move"];

/** Search and filter of the board, in the address. */
export function useBoardFilters() {
  const [url, update] = useUrlState();
  const search = url.get("deal_search") ?? "";
  const closing = findOption(CLOSINGS, url.get("closing"), "");
  return {
    search,
    closing,
    /** Some cards may be out of sight. */
    partial: search + closing !== "",
    setSearch: (deal_search: string) => update({ deal_search }, "replace"),
    setClosing: (value: string) => update({ closing: value }),
    clear: () => update({ deal_search: null, closing: null }),
  };
}

export type Filters = ReturnType<typeof useBoardFilters>;

export function useBoard({ search, closing }: Filters) {
  return useAdminQuery([...DEALS, { search, closing }], () =>
    readData(api.GET("/api/admin/deals", { params: { query: { search, closing } } })),
  );
}

export function reloadDeals(): Promise<void> {
  return reloadAdmin(...DEALS);
}

interface Move {
  deal: Deal;
  to: BoardPlace;
}

async function sendMove({ deal, to }: Move, partial: boolean): Promise<void> {
  const params = { path: { deal_id: deal.id } };
  // Between cards that are not all in sight no place can be named: the end of the stage is.
  const body = { stage: to.stage, position: partial ? null : to.index };
  await readData(api.POST("/api/admin/deals/{deal_id}/move", { params, body }));
}

function describeMove(board: Deals, deal: Deal, { stage, index }: BoardPlace): string {
  const count = board.stages.find((sum) => sum.stage === stage)?.count ?? 0;
  return `${deal.companyName}: ${formatStage(stage)}, ${index + 1} of ${count}.`;
}

/** Moves cards at once, and back when the server refuses; `said` is for screen readers. */
export function useMoves({ search, closing, partial }: Filters) {
  const [said, setSaid] = useState("");
  const key = ["admin", ...DEALS, { search, closing }];
  const put = (deal: Deal, to: BoardPlace): BoardPlace | null => {
    const board = queryClient.getQueryData<Deals>(key);
    const from = board ? findPlace(board, deal.id) : null;
    if (!board || !from) return null;
    const next = moveDeal(board, deal.id, to);
    queryClient.setQueryData<Deals>(key, next);
    setSaid(describeMove(next, deal, to));
    return from;
  };
  const mutation = useMutation({
    mutationKey: MOVE,
    scope: { id: "deal-move" }, // one after another, in the order they were made
    mutationFn: (move: Move) => sendMove(move, partial),
    onMutate: async ({ deal, to }) => {
      await queryClient.cancelQueries({ queryKey: key });
      return put(deal, to);
    },
    onSuccess: (_, { deal, to }, from) => {
      if (!from || from.stage === to.stage) return;
      const undo = {
        label: "Undo",
        onClick: () => mutation.mutate({ deal: { ...deal, stage: to.stage }, to: from }),
      };
      toast.success(`${deal.companyName} moved to ${formatStage(to.stage)}`, { action: undo });
    },
    onError: (error, { deal }, from) => {
      if (from) put(deal, from);
      const description = getErrorMessage(error, "The card is back where it was.");
      toast.error(`Failed to move ${deal.companyName}`, { description });
      setSaid(`${deal.companyName} could not be moved. ${description}`);
    },
    onSettled: () => {
      if (queryClient.isMutating({ mutationKey: MOVE }) === 1) void reloadDeals();
    },
  });
  return { move: (deal: Deal, to: BoardPlace) => mutation.mutate({ deal, to }), said };
}
