import { api, dataOf } from "../../../lib/client";
import "../signin/confirm-owner";

/** Makes a test key for the examples of the documentation. */
export async function createDocumentationKey(): Promise<string> {
  const body = { name: "Documentation", test: true };
  return (await dataOf(api.POST("/api/user/api-keys", { body }))).key;
}
