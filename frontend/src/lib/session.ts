import { ApiError } from "./errors";
import { markSessionEnded } from "./session-ended";
import { clearRecentChoices } from "./recent-choices";

const TOKEN = "token";
const VIEW_TOKEN = "viewing_token";

/** Whether the server made this page for staff who look at an account: calls then carry the token of the look. */
let viewing = document.documentElement.dataset.viewing !== undefined;

export function readToken(): string | null {
  return localStorage.getItem(viewing ? VIEW_TOKEN : TOKEN);
}

/** Keeps the token of a look, for the pages that are shown in it. */
export function storeViewToken(token: string): void {
  localStorage.setItem(VIEW_TOKEN, token);
}

/** From here on calls are those of the staff again. */
export function leaveView(): void {
  viewing = false;
  localStorage.removeItem(VIEW_TOKEN);
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN, token);
}

export function clearSession(): void {
  localStorage.removeItem(TOKEN);
  clearRecentChoices();
}

/** Leaves for another page. An object, so that tests can watch it: `location` itself cannot be replaced. */
export const navigation = {
  go: (address: string) => location.assign(address),
  reload: () => location.reload(),
};

let staysWhenEnded = false;

/** The page shows by itself that the session has ended, or leaves by itself, instead of leaving for the landing page. */
export function stayWhenEnded(stays = true): void {
  staysWhenEnded = stays;
}

/** Stores what was typed and not sent. */
let saveWork = (): Promise<void> => Promise.resolve();

/** Pages without such fields need nothing of the kind: who stores it is given to the session here. */
export function setWorkSaving(save: () => Promise<void>): void {
  saveWork = save;
}

async function endSession(): Promise<void> {
  clearSession();
  markSessionEnded();
  if (staysWhenEnded) return;
  await saveWork();
  navigation.go("/?ended=1");
}

async function requestToken(): Promise<string> {
  // Kept alive: a page that is left while it waits would lose the new cookie, and with it the session.
  const response = await fetch("/api/auth/refresh", { method: "POST", keepalive: true }).catch(() => {
    throw ApiError.unreachable();
  });
  if (!response.ok) {
    const error = await ApiError.from(response);
    if (error.status === 401 || error.status === 403) await endSession();
    throw error;
  }
  const { token } = (await response.json()) as { token: string };
  storeToken(token);
  return token;
}

/** Runs `task` in one tab at a time: the refresh cookie rotates, and using an old one ends the session. */
async function runInOneTab<T>(task: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>;
  return locks ? await locks.request("refresh", task) : await task();
}

/** Nothing renews a look: its time is over. */
function endView(): ApiError {
  leaveView();
  navigation.go("/admin?tab=users");
  return new ApiError(401, "VIEW_ENDED", "The view has ended.", null);
}

let running: Promise<string> | null = null;

/**
 * A token newer than `refused`. Callers at the same time share one call; another tab's fresh token is used as it is.
 * @throws ApiError when the server refuses (the user is then signed out) or cannot be reached (the token stays).
 */
export function renewToken(refused: string | null): Promise<string> {
  if (viewing) return Promise.reject(endView());
  running ??= runInOneTab(() => {
    const stored = readToken();
    return stored !== null && stored !== refused ? Promise.resolve(stored) : requestToken();
  }).finally(() => {
    running = null;
  });
  return running;
}

/** The token to send: the stored one, or a new one for a page whose storage was emptied. */
export async function getCurrentToken(): Promise<string> {
  return readToken() ?? (await renewToken(null));
}
