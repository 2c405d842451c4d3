import type { ReactNode } from "react";

import type { Contracts } from "../../../api/types";
import { formatNumber, formatCount } from "../../../lib/format";
import { Button } from "../../../ui/button";

const PAGE_ROWS = 50;

interface ContractPagerProps {
  found: Contracts;
  page: number;
  onPage: (page: number) => void;
}

/** Which contracts are shown, and the way to the others. */
export function ContractPager({ found, page, onPage }: ContractPagerProps): ReactNode {
  const { contracts, next, total } = found;
  const first = (page - 1) * PAGE_ROWS + 1;
  return (
    <div className="row row-between">
      <p className="muted small nums">
        {next === null && page === 1
          ? formatCount(total, "contract")
          : `${formatNumber(first)}–${formatNumber(first + contracts.length - 1)} of ${formatCount(total, "contract")}`}
      </p>
      {next === null && page === 1 ? null : (
        <div className="row">
          <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={next === null} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </div>
  );
}
