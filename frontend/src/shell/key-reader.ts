/** Where `g` and the key after it lead. */
export const PLACES: Readonly<Record<string, string>> = {
  v: "/dashboard?tab=validate",
  h: "/dashboard?tab=history",
  a: "/dashboard?tab=analytics",
  s: "/account-settings",
};
const ALONE = new Set(["/", "?", "n", "e", "t"]);
const PATIENCE_MS = 1_500;

/** Reads keys one by one and answers the commands among them: `n`, or `g h` for `g` and then, in time, `h`. */
export function createKeyReader(): (key: string, at: number) => string | null {
  let begun = -Infinity;
  return (key, at) => {
    const follows = at - begun <= PATIENCE_MS;
    begun = key === "g" && !follows ? at : -Infinity;
    if (follows) return key in PLACES ? `g ${key}` : null;
    return ALONE.has(key) ? key : null;
  };
}
