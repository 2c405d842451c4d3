import { findOption, type SelectOptions } from "../select";

interface SearchFilter {
  label: string;
  /** What can be typed, if it is more than the label says. */
  hint?: string;
}

interface DayFilter {
  day: string;
}

interface SelectFilter {
  label: string;
  options: SelectOptions<string>;
  /** What is chosen where the address says nothing; else the first option. */
  otherwise?: string;
  /** The order of the rows: it leaves none out. */
  orders?: boolean;
  /** The label stands above it. */
  shown?: boolean;
  /** Wide screens do without it. */
  onlyNarrow?: boolean;
  /** It has a control of its own. */
  hidden?: boolean;
}

export type Filter = SearchFilter | DayFilter | SelectFilter;
/** By the names that they have in the address. */
export type Filters = Readonly<Record<string, Filter>>;
export type Values<F extends Filters> = {
  [Name in keyof F]: F[Name] extends { options: SelectOptions<infer Key> } ? Key : string;
};

/** The value that the address does not name. */
export function getUsual(filter: Filter): string {
  return "options" in filter ? (filter.otherwise ?? filter.options[0]?.[0] ?? "") : "";
}

/** What the address says; an option that is none is as if it said nothing. */
export function readValues<F extends Filters>(filters: F, url: URLSearchParams): Values<F> {
  const read = ([name, filter]: [string, Filter]) => {
    const said = url.get(name);
    const usual = getUsual(filter);
    return [name, "options" in filter ? findOption(filter.options, said, usual) : (said ?? usual)];
  };
  return Object.fromEntries(Object.entries(filters).map(read)) as Values<F>;
}

/** Whether anything leaves rows out. */
export function isFiltered<F extends Filters>(filters: F, values: Values<F>): boolean {
  return Object.entries(filters).some(
    ([name, filter]) => !isOrder(filter) && values[name] !== getUsual(filter),
  );
}

export function isOrder(filter: Filter): boolean {
  return "orders" in filter;
}
