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
export async function sendJson(path: string, body: object): Promise<{ ok: boolean; message: string }> {
  const headers = { "Content-Type": "application/json" };
  try {
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    const { message } = (await answer.json()) as { message?: string };
    return { ok: answer.ok, message: message ?? FAILED };
  } catch {
    return { ok: false, message: FAILED };
  }
}

/**
 * Sends the vote of the box that the button is in, says what came of it, and marks the button: one vote a box, a second one
 * takes the place of the first.
 */
export async function sendVote(
  button: HTMLButtonElement,
  path: string,
  bodyOf: (about: string, vote: string) => object,
): Promise<void> {
  const box = button.closest<HTMLElement>("[data-vote]");
  if (!box) return;
  const { ok, message } = await sendJson(path, bodyOf(box.dataset.vote ?? "", button.value));
  const says = box.querySelector("[role=status]");
  if (says) says.textContent = message;
  if (!ok) return;
  for (const one of box.querySelectorAll("button")) one.setAttribute("aria-pressed", String(one === button));
}

const FAILED = "That did not work. Please try again.";
