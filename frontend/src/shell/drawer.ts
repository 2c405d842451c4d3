/** The drawer is a native modal dialog: it keeps focus, and Escape closes it. */
export function installDrawer(): void {
  const drawer = document.querySelector<HTMLDialogElement>("dialog[data-drawer]");
  if (!drawer) return;
  document.querySelector("[data-drawer-open]")?.addEventListener("click", () => drawer.showModal());
  drawer.addEventListener("click", (event) => {
    const onBackdrop = event.target === drawer;
    const onClose = event.target instanceof Element && event.target.closest("[data-drawer-close]") !== null;
    if (onBackdrop || onClose) drawer.close();
  });
}
