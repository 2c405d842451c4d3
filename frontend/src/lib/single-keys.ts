/** Under which name the browser keeps whether single keys are turned off. */
export const SINGLE_KEYS = "single-keys";

/** Whether single letters are commands. Somebody who speaks to the browser, or whose hand is not steady, turns that off. */
export function areSingleKeysOn(): boolean {
  return localStorage.getItem(SINGLE_KEYS) !== "off";
}
