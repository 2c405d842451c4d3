import { api, openApi } from "../../../../lib/client";
import { clearSession, leaveView, navigation } from "../../../../lib/session";
import { isMarked, markSignedOut, takeMarkAway } from "./signed-out";

/** A server that is silent for so long does not answer. */
const PATIENCE_MS = 5_000;

async function ended(call: Promise<unknown>): Promise<boolean> {
  await call.then(takeMarkAway, () => undefined);
  return !isMarked();
}

/** Tells the server once more, without the token, which is gone. Answers whether the session has ended there. */
function signOutAgain(): Promise<boolean> {
  return ended(openApi.POST("/api/auth/logout", { signal: AbortSignal.timeout(PATIENCE_MS) }));
}

/** Takes the account off the screen, and says that the server has not ended the session until it has. */
async function waitForServer(): Promise<void> {
  const [{ render }, { SigningOut }] = await Promise.all([
    import("../../../../render"),
    import("./signing-out"),
  ]);
  const place = Object.assign(document.createElement("main"), { className: "link-page", id: "main" });
  document.body.replaceChildren(place);
  render(place, SigningOut, { signOutAgain });
}

/**
 * Ends the session here in any case; on the server at once, or, when it does not answer, at the next request that
 * reaches it. Until then the page says so and tries again.
 */
export async function signOut(): Promise<void> {
  leaveView();
  markSignedOut();
  const done = await ended(api.POST("/api/auth/logout", { signal: AbortSignal.timeout(PATIENCE_MS) }));
  clearSession();
  if (done) navigation.go("/");
  else await waitForServer();
}
