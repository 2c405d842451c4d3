import Search from "lucide-react/icons/search";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";

import type { Category } from "../api/types";
import { CATEGORIES, CATEGORY_WORDS, DECISIONS, DECISION_WORDS, type Decision } from "../lib/labels";
import type { SelectOptions } from "./select";

const TYPING_MS = 250;

interface SearchFieldProps {
  label: string;
  /** What can be typed, if it is more than the label says. */
  hint?: string;
  value: string;
  /** Told when typing pauses. */
  onSearch: (value: string) => void;
}

/** A search field; `/` goes to it. */
export function SearchField({ label, hint = label, value, onSearch }: SearchFieldProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  // The address changed by itself (back button, Clear filters): the field follows.
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => search(typed), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <div className="search">
      <Search size={16} aria-hidden />
      <input
        data-search
        className="input"
        type="search"
        aria-label={label}
        placeholder={hint}
        title={hint}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </div>
  );
}

const OPTIONS: SelectOptions<Category | ""> = [
  ["", "All categories"],
  ...CATEGORIES.map((category) => [category, CATEGORY_WORDS[category]] as const),
];

/** Results of one category. */
export const CATEGORY_FILTER = { label: "Category", options: OPTIONS };

const DECISION_OPTIONS: SelectOptions<Decision | ""> = [
  ["", "All decisions"],
  ...DECISIONS.map((decision) => [decision, DECISION_WORDS[decision]] as const),
];

/** Results that are safe to send to, risky, or not to be sent to. */
export const DECISION_FILTER = { label: "Decision", options: DECISION_OPTIONS };
