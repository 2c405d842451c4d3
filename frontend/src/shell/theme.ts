const YEAR_S = 31_536_000;

/** Stores the choice where the server reads it, so that the next page is painted right at once. */
export function chooseTheme(theme: string): void {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") {
    root.dataset.theme = theme;
    document.cookie = `theme=${theme}; path=/; max-age=${YEAR_S}; samesite=lax`;
  } else {
    delete root.dataset.theme;
    document.cookie = "theme=; path=/; max-age=0; samesite=lax";
  }
  for (const button of document.querySelectorAll<HTMLElement>("[data-theme-choice]")) {
    button.setAttribute("aria-pressed", String(button.dataset.themeChoice === theme));
  }
}

/** From light to dark and back, whoever chose it before: the system or the user. */
export function toggleTheme(): void {
  const { theme } = document.documentElement.dataset;
  const dark = theme === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  chooseTheme(dark ? "light" : "dark");
}

export function installThemeSwitch(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-theme-choice]")) {
    button.addEventListener("click", () => chooseTheme(button.dataset.themeChoice ?? ""));
  }
}
