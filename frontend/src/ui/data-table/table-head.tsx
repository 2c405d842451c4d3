import type { ReactNode } from "react";

import { buildCellClass, buildTitleClass, type Column, type Sorting } from "./columns";

interface TableHeadProps {
  columns: readonly Column<never>[];
  sorting?: Sorting | undefined;
  /** A column's key, to mark as the one that concerns the reader. */
  current?: string | undefined;
}

/** The titles of the columns. */
export function TableHead({ columns, sorting, current }: TableHeadProps): ReactNode {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          sorting && column.sort ? (
            <sorting.Title key={column.key} column={column} sorting={sorting} />
          ) : (
            <th
              key={column.key}
              scope="col"
              className={column.head ? buildCellClass(column) : buildTitleClass(column)}
              title={column.hint}
              aria-current={column.key === current ? "true" : undefined}
            >
              {column.head ?? <span>{column.title}</span>}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
