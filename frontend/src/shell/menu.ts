/** The menu of small screens is a `details`: it closes on Escape, on a press elsewhere, and when a link is followed. */
export function installMenu(): void {
  const menu = document.querySelector<HTMLDetailsElement>("[data-menu]");
  if (!menu) return;
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  document.addEventListener("click", ({ target }) => {
    const stays = target instanceof Element && menu.contains(target) && !target.closest("a, button");
    if (!stays) menu.open = false;
  });
}
