import { useQuery } from "@tanstack/react-query";
import { useRef, type ReactNode } from "react";

import type { Client } from "../../../api/types";
import { api, readData, withIdempotencyKey } from "../../../lib/client";
import { useAction } from "../../../lib/use-action";
import { useForm } from "../../../lib/use-form";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { EntryField } from "../../../ui/form";
import { FormDialog } from "../../../ui/form-dialog";
import { Loaded } from "../../../ui/states";
import { getTransfersKey, loadLogo, loadTransfers, refreshClients, saveLogo } from "./calls";
import { TransferList } from "./transfer-list";

const MOST_BYTES = 200 * 1024;

interface NameDialogProps {
  /** The one to rename; a new one without it. */
  client?: Client;
  onClose: () => void;
}

function sendName(name: string, client?: Client): Promise<Client> {
  const body = { name };
  if (!client) return readData(api.POST("/api/organisation/clients", { body, ...withIdempotencyKey() }));
  const params = { path: { client_id: client.id } };
  return readData(api.PUT("/api/organisation/clients/{client_id}", { params, body }));
}

/** Names a client, new or known. */
export function NameDialog({ client, onClose }: NameDialogProps): ReactNode {
  const form = useForm({
    defaults: { name: client?.name ?? "" },
    check: ({ name }) => (name.trim() === "" ? { name: "Enter a name" } : {}),
    send: async ({ name }) => {
      await sendName(name.trim(), client);
      await refreshClients();
      onClose();
    },
    fallback: "The client could not be saved",
  });
  return (
    <FormDialog
      title={client ? `Rename ${client.name}` : "New client"}
      description={client ? undefined : "An organisation of its own, which you pay for and may act in."}
      onClose={onClose}
      form={form}
      action={client ? "Save name" : "Make client"}
    >
      <EntryField form={form} name="name" label="Name" maxLength={100} hint="It stands on its PDF reports." />
    </FormDialog>
  );
}

interface OfClientProps {
  client: Client;
  onClose: () => void;
}

/** What went to a client and back. */
export function TransfersDialog({ client, onClose }: OfClientProps): ReactNode {
  const transfers = useQuery({
    queryKey: getTransfersKey(client.id),
    queryFn: () => loadTransfers(client.id),
  });
  return (
    <Dialog title={`Transfers of ${client.name}`} onClose={onClose} wide>
      <Loaded query={transfers} fallback="Failed to load the transfers" rows={3}>
        {(found) => <TransferList transfers={found} />}
      </Loaded>
    </Dialog>
  );
}

function LogoPicture({ client }: { client: Client }): ReactNode {
  const logo = useQuery({ queryKey: ["clients", client.id, "logo"], queryFn: () => loadLogo(client.id) });
  return (
    <Loaded query={logo} fallback="Failed to load the logo" rows={1}>
      {(address) => <img className="client-logo" src={address} alt={`Logo of ${client.name}`} />}
    </Loaded>
  );
}

/** The picture on the reports of a client. */
export function LogoDialog({ client, onClose }: OfClientProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const save = useAction(
    (file: File) => {
      if (file.size > MOST_BYTES) throw new Error("A logo may have up to 200 KB");
      return saveLogo(client.id, file);
    },
    (error) => (error instanceof Error ? error.message : "The logo could not be saved"),
    { done: () => "The logo was saved.", onEnd: refreshClients },
  );
  const remove = useAction(
    () =>
      readData(
        api.DELETE("/api/organisation/clients/{client_id}/logo", {
          params: { path: { client_id: client.id } },
        }),
      ),
    "The logo could not be removed",
    { done: () => "The logo was removed.", onEnd: refreshClients },
  );
  const actions = (
    <>
      {client.has_logo ? (
        <Button busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove
        </Button>
      ) : null}
      <Button kind="primary" busy={save.isPending} onClick={() => input.current?.click()}>
        Choose a picture
      </Button>
    </>
  );
  return (
    <Dialog title={`Logo of ${client.name}`} onClose={onClose} actions={actions}>
      <div className="stack-4">
        {client.has_logo ? <LogoPicture client={client} /> : <p>There is no logo yet.</p>}
        <p className="hint">PNG or JPEG, up to 200 KB. It stands on the PDF reports of {client.name}.</p>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept="image/png,image/jpeg"
          aria-label="Picture"
          tabIndex={-1}
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = "";
            if (file) save.mutate(file);
          }}
        />
      </div>
    </Dialog>
  );
}
