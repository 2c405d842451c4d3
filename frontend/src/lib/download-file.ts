import { fetchAuthorised } from "./client";
import { saveBlob } from "./download";

/** Asks the server for a file, as whoever is signed in, and saves it. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const answer = await fetchAuthorised(new Request(new URL(path, location.origin)));
  saveBlob(await answer.blob(), name);
}
