const KEY = "single-keys";

/** Whether single letters are commands. Somebody who speaks to the browser, or whose hand is not steady, turns that off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

export function turnSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
}
