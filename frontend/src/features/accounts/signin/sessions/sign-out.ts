import { api, openApi } from "../../../../lib/client";
import { forgetLeftPlace } from "../../../../lib/left-place";
import { clearSession, leaveView, navigation, stayWhenEnded } from "../../../../lib/session";
import { askInDialog } from "../ask-in-dialog";
import { isMarkSet, markSignedOut, removeMark } from "./sign-out-mark";

/** A server that is silent for so long does not answer. */
const PATIENCE_MS = 5_000;

const loadQuestion = async () => (await import("./unsent-question")).UnsentQuestion;

async function hasEnded(call: Promise<unknown>): Promise<boolean> {
  await call.then(removeMark, () => undefined);
  return !isMarkSet();
}

/** Tells the server once more, without the token, which is gone. Answers whether the session has ended there. */
function signOutAgain(): Promise<boolean> {
  return hasEnded(openApi.POST("/api/auth/logout", { signal: AbortSignal.timeout(PATIENCE_MS) }));
}

/** Takes the account off the screen, and says that the server has not ended the session until it has. */
async function showSignOutPending(): Promise<void> {
  const [{ renderIsland }, { SignOutPending }] = await Promise.all([
    import("../../../../render"),
    import("./sign-out-pending"),
  ]);
  const place = Object.assign(document.createElement("main"), { className: "link-page", id: "main" });
  document.body.replaceChildren(place);
  renderIsland(place, SignOutPending, { signOutAgain });
}

/** Asks, where a list was typed and not sent, whether to go all the same; whatever was not sent is removed then. */
export async function confirmLeaving(): Promise<boolean> {
  const { hasUnsentList, removeUnsent } = await import("../../../../lib/unsent/store");
  if ((await hasUnsentList()) && !(await askInDialog(loadQuestion))) return false;
  removeUnsent();
  forgetLeftPlace();
  return true;
}

/**
 * Asks about a list that was not sent. Ends the session here in any case then; on the server at once, or, when it does not answer, at the next request that
 * reaches it. Until then the page says so and tries again.
 */
export async function signOut(): Promise<void> {
  if (!(await confirmLeaving())) return;
  leaveView();
  stayWhenEnded(); // calls on their way may be refused before this leaves the page
  markSignedOut();
  const done = await hasEnded(api.POST("/api/auth/logout", { signal: AbortSignal.timeout(PATIENCE_MS) }));
  clearSession();
  if (done) navigation.go("/");
  else await showSignOutPending();
}
