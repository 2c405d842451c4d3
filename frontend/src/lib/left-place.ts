// Where somebody was in this tab, so that signing in after the end of a session leads back there.
import { hasSessionEnded, unmarkSessionEnded } from "./session-ended";

const LEFT = "left_place";
const KEPT_MS = 24 * 60 * 60 * 1000;

interface LeftPlace {
  person: string;
  address: string;
  /** Pixels from the top. */
  scroll: number;
  /** In milliseconds since 1970. */
  since: number;
}

function readLeftPlace(): LeftPlace | null {
  try {
    return JSON.parse(sessionStorage.getItem(LEFT) ?? "null") as LeftPlace | null;
  } catch {
    return null;
  }
}

/** Notes where the person is: the page is being left, for whatever reason. */
export function storeLeftPlace(person: string): void {
  const address = location.pathname + location.search + location.hash;
  const place: LeftPlace = { person, address, scroll: scrollY, since: Date.now() };
  sessionStorage.setItem(LEFT, JSON.stringify(place));
}

/** Nothing leads back any more: whoever leaves by hand has finished. */
export function forgetLeftPlace(): void {
  unmarkSessionEnded();
  sessionStorage.removeItem(LEFT);
}

/** The address to go back to after signing in as this person; null where no session of theirs has ended here. */
export function findLeftPlace(person: string): string | null {
  const place = hasSessionEnded() ? readLeftPlace() : null;
  if (place?.person === person && Date.now() - place.since < KEPT_MS) return place.address;
  forgetLeftPlace();
  return null;
}

/** How far down the page was when its session ended, once; null on any other page. */
export function takeLeftScroll(): number | null {
  const place = hasSessionEnded() ? readLeftPlace() : null;
  forgetLeftPlace();
  return place?.address === location.pathname + location.search + location.hash ? place.scroll : null;
}
