import { useSyncExternalStore, type ReactNode } from "react";
import { Toaster as Sonner } from "sonner";

const PHONE = "(width < 640px)";

function getTheme(): "light" | "dark" | "system" {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function watchTheme(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

function isPhone(): boolean {
  return matchMedia(PHONE).matches;
}

function watchWidth(onChange: () => void): () => void {
  const query = matchMedia(PHONE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** A dialog takes presses from all that is below it; toasts are above. */
const ABOVE_DIALOGS = { style: { pointerEvents: "auto" } } as const;

/** The place for toasts; on phones over the top bar, where they cover nothing that is read. */
export function Toaster(): ReactNode {
  const theme = useSyncExternalStore(watchTheme, getTheme);
  const position = useSyncExternalStore(watchWidth, isPhone) ? "top-center" : "bottom-right";
  return (
    <Sonner
      theme={theme}
      position={position}
      mobileOffset={{ top: "calc(env(safe-area-inset-top, 0px) + 4px)", left: 8, right: 8 }}
      toastOptions={ABOVE_DIALOGS}
      closeButton
    />
  );
}
