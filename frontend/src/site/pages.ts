/** Another state of a page that the server renders, as a document; null when it cannot be loaded. */
export async function loadPage(address: string): Promise<Document | null> {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-cache" });
    if (!answer.ok) return null;
    return new DOMParser().parseFromString(await answer.text(), "text/html");
  } catch {
    return null;
  }
}

/** Sends JSON; answers what the server says in a sentence, and whether it agreed. */
export async function send(path: string, body: object): Promise<{ ok: boolean; message: string }> {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const { message } = (await answer.json()) as { message?: string };
    return { ok: answer.ok, message: message ?? FAILED };
  } catch {
    return { ok: false, message: FAILED };
  }
}

const FAILED = "That did not work. Please try again.";
