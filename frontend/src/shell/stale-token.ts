import { api } from "../lib/client";
import { hasSessionEnded } from "../lib/session-ended";
import { stayWhenEnded } from "../lib/session";

/**
 * A token without the page of a session: it is checked and, when it is refused for good, removed. The landing page says
 * so, and so does the staff area; pages that somebody reads stay as they are.
 */
export async function checkStaleToken(): Promise<void> {
  stayWhenEnded(location.pathname !== "/" || location.search.includes("ended"));
  await api.GET("/api/auth/me").catch(() => undefined);
  const card =
    location.pathname === "/admin" && hasSessionEnded() && document.querySelector("#main .card h1");
  if (!card) return;
  const words = "You were signed out. Sign in to go on.";
  card.after(
    Object.assign(document.createElement("p"), { className: "notice", role: "status", textContent: words }),
  );
}
