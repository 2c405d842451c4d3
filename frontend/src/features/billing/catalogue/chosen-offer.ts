const KEY = "chosen_offer";
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** Keeps the offer that a visitor chose on the price list, as the query of the tab where it is bought; "" forgets it. */
export function storeChosenOffer(query: string): void {
  if (query === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, JSON.stringify([query, Date.now()]));
}

/** Where the offer that was chosen is bought, once: it is forgotten. Null without one, or when it is too old. */
export function takeChosenOffer(): string | null {
  const kept = localStorage.getItem(KEY) ?? "[]";
  localStorage.removeItem(KEY);
  try {
    const [query, since] = JSON.parse(kept) as unknown[];
    const holds = typeof query === "string" && typeof since === "number" && Date.now() - since < KEPT_MS;
    return holds ? `/dashboard?tab=pricing&${query}` : null;
  } catch {
    return null;
  }
}
