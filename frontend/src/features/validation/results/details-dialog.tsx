import type { ReactNode } from "react";

import type { Result, ResultRow } from "../../../api/types";
import { AddressTitle } from "../../../ui/address";
import { Dialog } from "../../../ui/dialog";
import { ResultActions, ResultDetails } from "./result-details";

interface DetailsDialogProps {
  row: ResultRow | Result;
  onClose: () => void;
  /** Above the verdict. */
  children?: ReactNode;
}

/** One verdict with its six checks and its evidence. */
export function DetailsDialog({ row, onClose, children }: DetailsDialogProps): ReactNode {
  return (
    <Dialog
      title="Validation Details"
      description={<AddressTitle email={row.email_checked} />}
      wide
      onClose={onClose}
      actions={<ResultActions row={row} onClose={onClose} />}
    >
      {children}
      <ResultDetails row={row} />
    </Dialog>
  );
}
