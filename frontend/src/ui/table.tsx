import type { ReactNode } from "react";

interface TableHeadProps {
  /** The names of the columns, with a class where a column has one. */
  columns: readonly (string | readonly [name: string, className: string])[];
}

/** The head of a table whose columns do not sort. */
export function TableHead({ columns }: TableHeadProps): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const [name, className] = typeof column === "string" ? [column] : column;
          return (
            <th key={name} scope="col" className={className}>
              <span>{name}</span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
