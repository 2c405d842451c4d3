import type { ReactNode } from "react";

import type { PaymentQuestion } from "./use-second-payment";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";

/** Asks whether to pay a second time; whoever leaves it waits. */
export function SecondPaymentQuestion({ asking }: { asking: PaymentQuestion | null }): ReactNode {
  if (!asking) return null;
  const { text, answer } = asking;
  const actions = (
    <>
      <Button onClick={() => answer(true)}>Buy again</Button>
      <Button kind="primary" onClick={() => answer(false)}>
        Wait
      </Button>
    </>
  );
  return (
    <Dialog title="Payment still waiting" onClose={() => answer(false)} actions={actions} closable={false}>
      <p>{text}</p>
    </Dialog>
  );
}
