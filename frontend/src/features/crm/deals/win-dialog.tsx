import type { ReactNode } from "react";

import type { Deal } from "../../../api/types";
import { formatUsd } from "../../../lib/format";
import { ActDialog } from "../../../ui/dialog";

interface WinDialogProps {
  deal: Deal;
  onWin: () => void;
  onClose: () => void;
}

/** Asks before a deal is won, because its contract stays when the deal is moved back. */
export function WinDialog({ deal, onWin, onClose }: WinDialogProps): ReactNode {
  const win = () => {
    onWin();
    onClose();
  };
  return (
    <ActDialog
      title={`Win ${deal.companyName}?`}
      action="Win deal"
      onAct={win}
      onClose={onClose}
      closable={false}
    >
      <p className="break">
        Unless it has one, a contract over {formatUsd(deal.dealValue)} is written, for a year from today. It
        stays when the deal is moved back.
      </p>
    </ActDialog>
  );
}
