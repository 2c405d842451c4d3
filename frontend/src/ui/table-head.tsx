import type { ReactNode } from "react";

/** A name, or a name and the class of the column. */
type Column = string | readonly [name: string, className: string];

/** The head of a table that sorts by nothing. */
export function TableHead({ columns }: { columns: readonly Column[] }): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [name, className] = typeof column === "string" ? [column, ""] : column;
          return (
            <th key={name} scope="col" className={className || undefined}>
              <span>{name}</span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
