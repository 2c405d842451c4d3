import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";

import type { Contact } from "../../../api/types";
import { api, dataOf } from "../../../lib/client";
import { messageOf } from "../../../lib/errors";
import { queryClient } from "../../../lib/query";
import { MESSAGES } from "../words";

export type State = Contact["state"];

export const STATES: readonly (readonly [State, string])[] = [
  ["new", "New"],
  ["answered", "Answered"],
  ["closed", "Closed"],
];

export function reloadMessages(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["admin", ...MESSAGES] });
}

async function mark(message_id: number, state: State): Promise<void> {
  const params = { path: { message_id } };
  await dataOf(api.PUT("/api/admin/contacts/{message_id}", { params, body: { state } }));
}

const SAID: Record<State, string> = {
  new: "Marked as new",
  answered: "Marked as answered",
  closed: "Message closed",
};

/** Marks a message, and offers the way back. */
export function useMark({ id, state: before }: Contact) {
  const change = useMutation({
    mutationFn: (state: State) => mark(id, state),
    onSuccess: (_, state) => {
      const undo = { label: "Undo", onClick: () => change.mutate(before) };
      toast.success(SAID[state], state === before ? {} : { action: undo });
    },
    onError: (error) => toast.error("Failed to mark the message", { description: messageOf(error, "") }),
    onSettled: reloadMessages,
  });
  return change;
}
