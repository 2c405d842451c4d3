/** A button with `data-print` prints the page that it is on. */
export function installPrint(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-print]")) print();
  });
}
