import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";

import type { Contact } from "../../../api/types";
import { reloadAdmin } from "../../adminpanel/use-admin-query";
import { api, readData } from "../../../lib/client";
import { getErrorMessage } from "../../../lib/errors";
import { MESSAGES } from "../labels";

export type State = Contact["state"];

export const STATES: readonly (readonly [State, string])[] = [
  ["new", "New"],
  ["answered", "Answered"],
  ["closed", "Closed"],
];

export function reloadMessages(): Promise<void> {
  return reloadAdmin(...MESSAGES);
}

async function markMessage(message_id: number, state: State): Promise<void> {
  const params = { path: { message_id } };
  await readData(api.PUT("/api/admin/contacts/{message_id}", { params, body: { state } }));
}

const SAID: Record<State, string> = {
  new: "Marked as new",
  answered: "Marked as answered",
  closed: "Message closed",
};

/** Marks a message, and offers the way back. */
export function useMarkMessage({ id, state: before }: Contact) {
  const change = useMutation({
    mutationFn: (state: State) => markMessage(id, state),
    onSuccess: (_, state) => {
      const undo = { label: "Undo", onClick: () => change.mutate(before) };
      toast.success(SAID[state], state === before ? {} : { action: undo });
    },
    onError: (error) =>
      toast.error("Failed to mark the message", { description: getErrorMessage(error, "") }),
    onSettled: reloadMessages,
  });
  return change;
}
