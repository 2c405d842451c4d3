import { useState } from "react";

import { getRefusal } from "../../../lib/errors";

/** What is asked before somebody pays for the same thing a second time. */
export interface PaymentQuestion {
  text: string;
  answer: (again: boolean) => void;
}

export interface SecondPayment {
  asking: PaymentQuestion | null;
  /**
   * Begins a payment. Where one for the same thing still waits, asks first; null when it is waited for.
   * `begin` is called anew for the second payment: it is a call of its own.
   */
  begun: <Answer>(begin: (confirm_second: boolean) => Promise<Answer>) => Promise<Answer | null>;
}

export function useSecondPayment(): SecondPayment {
  const [asking, setAsking] = useState<PaymentQuestion | null>(null);
  const askAgain = (text: string) =>
    new Promise<boolean>((resolve) => {
      const answer = (again: boolean) => {
        setAsking(null);
        resolve(again);
      };
      setAsking({ text, answer });
    });
  const begun: SecondPayment["begun"] = async (begin) => {
    try {
      return await begin(false);
    } catch (error) {
      const waiting = getRefusal(error, "PAYMENT_PENDING");
      if (!waiting) throw error;
      return (await askAgain(waiting.detail)) ? begin(true) : null;
    }
  };
  return { asking, begun };
}
