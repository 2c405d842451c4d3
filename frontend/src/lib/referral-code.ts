const KEY = "invitation";
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
const LONGEST = 40;

/** Keeps the code of the link that somebody came by (`?ref=`) for thirty days; the newest counts. */
export function storeInvitation(search: string): void {
  const code = new URLSearchParams(search).get("ref")?.trim().slice(0, LONGEST);
  if (code) localStorage.setItem(KEY, JSON.stringify([code, Date.now()]));
}

/** The code that is sent when an account is made; empty without an invitation, or when it is too old. */
export function readInvitation(): string {
  try {
    const [code, since] = JSON.parse(localStorage.getItem(KEY) ?? "[]") as unknown[];
    const holds = typeof code === "string" && typeof since === "number" && Date.now() - since < KEPT_MS;
    return holds ? code : "";
  } catch {
    return "";
  }
}
