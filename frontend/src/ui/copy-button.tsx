import Check from "lucide-react/icons/check";
import Copy from "lucide-react/icons/copy";
import { useEffect, useState, type ReactNode } from "react";
import { toast } from "sonner";

import { Button } from "./button";

const SHOWN_MS = 2_000;
const REFUSED = "The browser did not allow copying. Select the text and copy it.";

interface CopyButtonProps {
  text: string;
  label?: string;
  /** What a toast says afterwards. */
  said?: string;
}

/** Copies a text; the button itself says that it did, or that it could not. */
export function CopyButton({ text, label = "Copy", said }: CopyButtonProps): ReactNode {
  const [outcome, setOutcome] = useState<"copied" | "refused" | null>(null);
  useEffect(() => {
    if (outcome !== "copied") return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setOutcome("copied");
        if (said) toast.success(said);
      },
      () => setOutcome("refused"),
    );
  };
  return (
    <>
      <Button onClick={copy} aria-live="polite">
        {outcome === "copied" ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        {outcome === "copied" ? "Copied" : label}
      </Button>
      {outcome === "refused" ? (
        <span className="field-error" role="alert">
          {REFUSED}
        </span>
      ) : null}
    </>
  );
}
