import { useEffect, type ReactNode } from "react";
import { toast } from "sonner";

import { Toaster } from "../ui/toaster";

/** A failure in a toast, on a page that has no other islands. */
export default function Toast({ words }: { words: string }): ReactNode {
  useEffect(() => {
    toast.error(words);
  }, [words]);
  return <Toaster />;
}
