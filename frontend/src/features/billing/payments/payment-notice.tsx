import type { ReactNode } from "react";

const TONES = { plain: "", success: " notice-success", danger: " notice-danger" } as const;

interface PaymentNoticeProps {
  tone?: keyof typeof TONES;
  /** What can be done about it. */
  action?: ReactNode;
  children: ReactNode;
}

/** How a payment stands, above the page that it is about. */
export function PaymentNotice({ tone = "plain", action, children }: PaymentNoticeProps): ReactNode {
  return (
    <div className={`notice payment-outcome${TONES[tone]}`} role={tone === "danger" ? "alert" : "status"}>
      <p>{children}</p>
      {action}
    </div>
  );
}
