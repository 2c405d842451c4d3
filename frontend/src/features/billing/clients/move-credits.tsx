import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import type { Client } from "../../../api/types";
import { api, createIdempotencyKey, readData } from "../../../lib/client";
import { formatCount, formatNumber } from "../../../lib/format";
import { useForm } from "../../../lib/use-form";
import { EntryField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { RadioField } from "../../../ui/radio-field";
import { refreshClients } from "./calls";

type Direction = "to_client" | "to_agency";

interface MoveCreditsProps {
  client: Client;
  /** What the agency can give. */
  movable: number;
  onClose: () => void;
}

/** Gives credits to a client, or takes unspent ones back. */
export function MoveCredits({ client, movable, onClose }: MoveCreditsProps): ReactNode {
  const [direction, setDirection] = useState<Direction>("to_client");
  // The same until it is done: sent twice, it moves credits once.
  const [keys] = useState(() => ({ to_client: createIdempotencyKey(), to_agency: createIdempotencyKey() }));
  const most = direction === "to_client" ? movable : client.returnable;
  const form = useForm({
    defaults: { credits: "" },
    check: ({ credits }) => {
      const fits = /^[1-9]\d*$/.test(credits.trim()) && Number(credits) <= most;
      return fits ? {} : { credits: `Enter a whole number from 1 to ${formatNumber(most)}` };
    },
    send: async ({ credits }) => {
      const amount = Number(credits);
      const body = { credits: amount, direction, key: `${keys[direction]}-${amount}` };
      const params = { path: { client_id: client.id } };
      await readData(api.POST("/api/organisation/clients/{client_id}/transfers", { params, body }));
      const way = direction === "to_client" ? "given to" : "taken back from";
      toast.success(`${formatCount(amount, "credit")} ${way} ${client.name}`);
      await refreshClients();
      onClose();
    },
    fallback: "The credits could not be moved",
  });
  return (
    <FormDialog
      title={`Credits of ${client.name}`}
      description={`It can spend ${formatCount(client.credits, "credit")}.`}
      onClose={onClose}
      form={form}
      action={direction === "to_client" ? "Give credits" : "Take credits back"}
      disabled={most === 0}
    >
      <RadioField
        legend="What to do"
        name="direction"
        value={direction}
        onChange={setDirection}
        options={[
          [
            "to_client",
            "Give",
            `${formatNumber(movable)} can be given. Welcome and trial credits stay with you.`,
          ],
          ["to_agency", "Take back", `${formatNumber(client.returnable)} given by you are not spent.`],
        ]}
      />
      <EntryField
        form={form}
        name="credits"
        label="Credits"
        inputMode="numeric"
        hint={
          most === 0
            ? "There is nothing to move."
            : "They end when they would have ended where they came from."
        }
      />
    </FormDialog>
  );
}
