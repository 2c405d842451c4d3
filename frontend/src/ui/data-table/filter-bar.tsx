import type { ReactNode } from "react";

import { SearchField } from "../filters";
import { Select } from "../select";
import type { Filter } from "./filters";

interface FilterFieldProps {
  filter: Filter;
  value: string;
  onChange: (value: string, how?: "replace") => void;
}

function DayField({ word, value, onChange }: { word: string } & Omit<FilterFieldProps, "filter">): ReactNode {
  return (
    <label className="row">
      <span>{word}</span>
      <input
        className="input filter-day"
        type="date"
        aria-label={`${word} day (UTC)`}
        title={`${word} day (UTC)`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}

function FilterField({ filter, value, onChange }: FilterFieldProps): ReactNode {
  if ("day" in filter) return <DayField word={filter.day} value={value} onChange={onChange} />;
  if (!("options" in filter)) {
    return <SearchField {...filter} value={value} onSearch={(typed) => onChange(typed, "replace")} />;
  }
  const { label, options, shown, hidden, onlyNarrow } = filter;
  if (hidden) return null;
  const field = { label, value, options, onChange, onlyNarrow };
  if (!shown) return <Select {...field} />;
  return (
    <label className="filter">
      <span className="muted small">{label}</span>
      <Select {...field} />
    </label>
  );
}

function isDay(filter: Filter | undefined): boolean {
  return filter !== undefined && "day" in filter;
}

interface FilterBarProps {
  view: {
    filters: Readonly<Record<string, Filter>>;
    values: Readonly<Record<string, string>>;
    set: (change: Record<string, string>, how?: "push" | "replace") => void;
  };
  /** Beside the filters. */
  children?: ReactNode;
}

/** The filters of a table, as `useTableView` has them. Days, of which one is from and one to, stay together. */
export function FilterBar({ view, children }: FilterBarProps): ReactNode {
  const names = Object.keys(view.filters);
  const days = names.filter((name) => isDay(view.filters[name]));
  const show = (name: string): ReactNode => {
    const filter = view.filters[name];
    if (!filter) return null;
    const change = (value: string, how?: "replace") => view.set({ [name]: value }, how);
    return <FilterField key={name} filter={filter} value={view.values[name] ?? ""} onChange={change} />;
  };
  return (
    <div className="toolbar">
      {names.map((name) => {
        if (!days.includes(name)) return show(name);
        return name === days[0] ? (
          <div key={name} className="row filter-days">
            {days.map(show)}
          </div>
        ) : null;
      })}
      {children}
    </div>
  );
}
