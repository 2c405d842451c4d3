/** Where `g` and the key after it lead. */
export const PLACES: Readonly<Record<string, string>> = {
  v: "/dashboard?tab=validate",
  h: "/dashboard?tab=history",
  a: "/dashboard?tab=analytics",
  s: "/account-settings",
};
const PATIENCE_MS = 1_500;

/** Reads keys one by one: `g` and then, in time, `h` are one command, `g h`. */
export function createKeyReader(): (key: string, at: number) => string {
  let begun = -Infinity;
  return (key, at) => {
    const follows = at - begun <= PATIENCE_MS;
    begun = key === "g" && !follows ? at : -Infinity;
    return follows ? `g ${key}` : key;
  };
}
