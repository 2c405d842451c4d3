/** The menu of small screens is a `details`: it closes on Escape, on a press elsewhere, and when a link is followed. */
function installMenu(): void {
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

/** A link to a dialog of this page opens it above the page; without a script its address shows it. */
function installDialogs(): void {
  const show = (dialog: HTMLDialogElement) => {
    if (!dialog.open) dialog.showModal();
    const scenes = dialog.querySelector<HTMLElement>("[data-walk]");
    if (scenes) void import("./walk").then(({ play }) => play(scenes));
  };
  const named = (hash: string) => {
    const found = hash === "" ? null : document.getElementById(hash.slice(1));
    return found instanceof HTMLDialogElement ? found : null;
  };
  const showAsked = () => {
    const asked = named(location.hash);
    if (asked) show(asked);
  };
  showAsked();
  addEventListener("hashchange", showAsked);
  document.addEventListener("click", (event) => {
    const pressed = event.target instanceof Element ? event.target : null;
    const link = pressed?.closest<HTMLAnchorElement>("a[href*='#']");
    const dialog = link && link.pathname === location.pathname ? named(link.hash) : null;
    const closing = pressed?.closest("[data-closes]") ?? (pressed instanceof HTMLDialogElement ? pressed : null);
    if (!dialog && !closing) return;
    event.preventDefault();
    if (dialog) show(dialog);
    else closing?.closest("dialog")?.close();
  });
  for (const dialog of document.querySelectorAll("dialog[aria-labelledby]")) {
    dialog.addEventListener("close", () => {
      dialog.querySelector("video")?.pause();
      if (location.hash === `#${dialog.id}`) history.replaceState(null, "", location.pathname + location.search);
    });
  }
}

/** A form that an island answers: `data-submits` names it, and it is mounted with what was entered. */
function installForms(open: (island: string, props: Record<string, string>) => Promise<void>): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submits]")) {
    const button = form.querySelector("[type=submit]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      button?.classList.add("button-busy");
      const entered = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
      const done = () => button?.classList.remove("button-busy");
      open(form.dataset.submits ?? "", Object.fromEntries(entered) as Record<string, string>).then(done, done);
    });
    for (const example of form.querySelectorAll<HTMLElement>("[data-fills]")) {
      example.addEventListener("click", () => {
        const field = form.querySelector("input");
        if (field) field.value = example.dataset.fills ?? "";
        form.requestSubmit();
      });
    }
  }
}

/** What the public pages do beside being read. */
export function installSite(open: (island: string, props: Record<string, string>) => Promise<void>): void {
  installMenu();
  installDialogs();
  installForms(open);
}
