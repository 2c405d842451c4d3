/** Why something cannot be pressed by staff who look at an account. */
export const VIEW_ONLY = "Not available: you are viewing as a user, read-only.";

/** Whether the server made this page for staff who look at an account: it refuses whatever would change something. */
export function isViewing(): boolean {
  return document.documentElement.dataset.viewing !== undefined;
}
