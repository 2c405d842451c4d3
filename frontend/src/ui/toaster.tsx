import { useEffect, useState, type ReactNode } from "react";
import { Toaster as Sonner } from "sonner";

function getTheme(): "light" | "dark" | "system" {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

/** The place for toasts; it follows the theme switch. */
export function Toaster(): ReactNode {
  const [theme, setTheme] = useState(getTheme);
  useEffect(() => {
    const observer = new MutationObserver(() => setTheme(getTheme()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return <Sonner theme={theme} position="bottom-right" closeButton />;
}
