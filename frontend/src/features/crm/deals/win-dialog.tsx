import type { ReactNode } from "react";

import type { Deal } from "../../../api/types";
import { formatUsd } from "../../../lib/format";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";

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
  const actions = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button kind="primary" onClick={win}>
        Win deal
      </Button>
    </>
  );
  return (
    <Dialog title={`Win ${deal.companyName}?`} onClose={onClose} actions={actions} closable={false}>
      <p className="break">
        Unless it has one, a contract over {formatUsd(deal.dealValue)} is written, for a year from today. It
        stays when the deal is moved back.
      </p>
    </Dialog>
  );
}
