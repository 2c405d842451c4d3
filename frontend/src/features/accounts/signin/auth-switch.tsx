import type { ReactNode } from "react";

import { LinkButton } from "../../../ui/link-button";

interface AuthSwitchProps {
  question?: string;
  action: string;
  onClick: () => void;
}

/** The way to another form of the sign-in dialog. */
export function AuthSwitch({ question = "", action, onClick }: AuthSwitchProps): ReactNode {
  return (
    <p className="auth-switch">
      {question} <LinkButton onClick={onClick}>{action}</LinkButton>
    </p>
  );
}
