import { useState } from "react";

const KEY = "compact_rows";

/** Whether tables of results are close together, as this browser remembers it. */
export function useCompact(): [boolean, () => void] {
  const [compact, setCompact] = useState(() => localStorage.getItem(KEY) !== null);
  const toggle = () => {
    if (compact) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "1");
    setCompact(!compact);
  };
  return [compact, toggle];
}
