import { fetchAuthorised } from "./client";
import { saveBlob } from "./download";

/** Asks the server for a file, as whoever is signed in, and saves it. */
export async function downloadFile(path: string, name: string): Promise<void> {
  const answer = await loadFile(path);
  saveBlob(await answer.blob(), name);
}

/** As `downloadFile`, under the name that the server gives; `name` is for when it gives none. */
export async function downloadNamedFile(path: string, name: string): Promise<void> {
  const answer = await loadFile(path);
  saveBlob(await answer.blob(), readFileName(answer.headers.get("Content-Disposition")) ?? name);
}

function loadFile(path: string): Promise<Response> {
  return fetchAuthorised(new Request(new URL(path, location.origin)));
}

/** The name in a `Content-Disposition` of ours (RFC 6266); null without one that can be read. */
export function readFileName(header: string | null): string | null {
  const encoded = /filename\*=utf-8''([^;]+)/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return /filename="([^"]+)"/i.exec(header ?? "")?.[1] ?? null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
