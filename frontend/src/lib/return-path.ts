const KEY = "return_path";
/** As long as the link of an invitation works. */
const KEPT_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Keeps the address to come back to once signed in. A new account is verified in another tab, so it outlives this one.
 */
export function storeReturnPath(path: string): void {
  localStorage.setItem(KEY, JSON.stringify([path, Date.now()]));
}

/** The address to come back to, once: it is forgotten. Null without one, or when it is too old. */
export function takeReturnPath(): string | null {
  const kept = localStorage.getItem(KEY) ?? "[]";
  localStorage.removeItem(KEY);
  try {
    const [path, since] = JSON.parse(kept) as unknown[];
    const holds = typeof path === "string" && typeof since === "number" && Date.now() - since < KEPT_MS;
    // Only an address of this site.
    return holds && /^\/(?![\\/])/.test(path) ? path : null;
  } catch {
    return null;
  }
}
