import { api, readData } from "../../../lib/client";
import "../signin/confirm-owner";

/** Makes a test key for the examples of the documentation. */
export async function createDocumentationKey(): Promise<string> {
  const body = { name: "Documentation", test: true };
  return (await readData(api.POST("/api/user/api-keys", { body }))).key;
}
