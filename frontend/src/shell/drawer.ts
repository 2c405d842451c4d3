/** The drawer is a native modal dialog: it keeps focus, and Escape closes it. `mount` brings to life what is in it. */
export function installDrawer(mount: (island: HTMLElement) => void): void {
  const drawer = document.querySelector<HTMLDialogElement>("dialog[data-drawer]");
  if (!drawer) return;
  const islands = new Set(drawer.querySelectorAll<HTMLElement>("[data-island]"));
  const open = () => {
    drawer.showModal();
    islands.forEach(mount);
    islands.clear();
  };
  for (const button of document.querySelectorAll("[data-drawer-open]"))
    button.addEventListener("click", open);
  drawer.addEventListener("click", (event) => {
    const onBackdrop = event.target === drawer;
    const onClose = event.target instanceof Element && event.target.closest("[data-drawer-close]") !== null;
    if (onBackdrop || onClose) drawer.close();
  });
}
