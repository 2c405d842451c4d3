function dialogOf(hash: string): HTMLDialogElement | null {
  const found = hash === "" ? null : document.getElementById(hash.slice(1));
  return found instanceof HTMLDialogElement ? found : null;
}

function show(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal();
  const scenes = dialog.querySelector<HTMLElement>("[data-walk]");
  if (scenes) void import("./walk").then(({ play }) => play(scenes));
}

/** The dialog that a link on this page names. */
function linked(pressed: Element): HTMLDialogElement | null {
  const link = pressed.closest<HTMLAnchorElement>("a[href*='#']");
  return link?.pathname === location.pathname ? dialogOf(link.hash) : null;
}

/** The dialog that a press on its close sign, or beside it, closes. */
function left(pressed: Element): HTMLDialogElement | null {
  if (pressed instanceof HTMLDialogElement) return pressed;
  return pressed.closest("[data-closes]")?.closest("dialog") ?? null;
}

function onPress(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const opening = linked(event.target);
  const closing = left(event.target);
  if (opening ?? closing) event.preventDefault();
  if (opening) show(opening);
  else closing?.close();
}

/** A dialog of the page opens by a link to it, and when its address is asked for; without a script that shows it. */
function installDialogs(): void {
  const showAsked = () => {
    const asked = dialogOf(location.hash);
    if (asked) show(asked);
  };
  showAsked();
  addEventListener("hashchange", showAsked);
  document.addEventListener("click", onPress);
  for (const dialog of document.querySelectorAll("dialog[aria-labelledby]")) {
    dialog.addEventListener("close", () => {
      dialog.querySelector("video")?.pause();
      if (dialogOf(location.hash)) history.replaceState(null, "", location.pathname + location.search);
    });
  }
}

type Open = (island: string, props: Record<string, string>) => Promise<void>;

function entered(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name]")];
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/** A form that an island answers: `data-submits` names it, and it is mounted with what was entered. */
function installForms(open: Open): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submits]")) {
    const button = form.querySelector("[type=submit]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      button?.classList.add("button-busy");
      const done = () => button?.classList.remove("button-busy");
      open(form.dataset.submits ?? "", entered(form)).then(done, done);
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

/** What the landing page does beside being read. */
export function enhance(_: HTMLElement, open: Open): void {
  installDialogs();
  installForms(open);
}
