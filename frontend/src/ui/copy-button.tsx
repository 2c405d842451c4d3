import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useState, type ReactNode } from "react";
import { toast } from "sonner";

import { Button } from "./button";

interface CopyButtonProps {
  text: string;
  label?: string;
  /** What a toast says afterwards. */
  said?: string;
}

/** Copies a text; says so on the button itself. */
export function CopyButton({ text, label = "Copy", said }: CopyButtonProps): ReactNode {
  const [copied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setCopied(true);
        if (said) toast.success(said);
      },
      () => toast.error("The browser did not allow copying. Select the text and copy it."),
    );
  };
  return (
    <Button onClick={copy} aria-live="polite">
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      {copied ? "Copied" : label}
    </Button>
  );
}
