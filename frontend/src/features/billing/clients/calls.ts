import type { Clients, CreditTransfer } from "../../../api/types";
import { api, readData } from "../../../lib/client";
import { queryClient } from "../../../lib/query";

export const CLIENTS = ["clients"] as const;
export const RECEIVED = ["received-credits"] as const;

export function refreshClients(): Promise<unknown> {
  return Promise.all(
    [CLIENTS, ["credits"], ["me"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

export function loadClients(): Promise<Clients> {
  return readData(api.GET("/api/organisation/clients"));
}

export function getTransfersKey(clientId: string): readonly string[] {
  return [...CLIENTS, clientId, "transfers"];
}

export async function loadTransfers(clientId: string): Promise<CreditTransfer[]> {
  const params = { path: { client_id: clientId } };
  return (await readData(api.GET("/api/organisation/clients/{client_id}/transfers", { params }))).transfers;
}

/** The picture as an address that the page may show. */
export async function loadLogo(clientId: string): Promise<string> {
  const params = { path: { client_id: clientId } };
  const picture = await readData(
    api.GET("/api/organisation/clients/{client_id}/logo", { params, parseAs: "blob" }),
  );
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : "");
    reader.onerror = () => reject(new Error("The picture could not be read"));
    reader.readAsDataURL(picture);
  });
}

export async function saveLogo(clientId: string, file: File): Promise<unknown> {
  const form = new FormData();
  form.append("logo", file);
  return readData(
    api.PUT("/api/organisation/clients/{client_id}/logo", {
      params: { path: { client_id: clientId } },
      body: { logo: "" },
      bodySerializer: () => form,
    }),
  );
}
