import { hasSessionEnded, markSessionEnded } from "../lib/session-ended";

function findDialog(hash: string): HTMLDialogElement | null {
  const found = hash === "" ? null : document.getElementById(hash.slice(1));
  return found instanceof HTMLDialogElement ? found : null;
}

function showDialog(dialog: HTMLDialogElement): void {
  if (!dialog.open) dialog.showModal();
  const scenes = dialog.querySelector<HTMLElement>("[data-walk]");
  if (scenes) void import("./walkthrough").then(({ playWalkthrough }) => playWalkthrough(scenes));
}

/** The dialog that a link on this page names. */
function findLinkedDialog(pressed: Element): HTMLDialogElement | null {
  const link = pressed.closest<HTMLAnchorElement>("a[href*='#']");
  return link?.pathname === location.pathname ? findDialog(link.hash) : null;
}

/** The dialog that a press on its close sign, or beside it, closes. */
function findClosedDialog(pressed: Element): HTMLDialogElement | null {
  if (pressed instanceof HTMLDialogElement) return pressed;
  return pressed.closest("[data-closes]")?.closest("dialog") ?? null;
}

function handlePress(event: MouseEvent): void {
  if (!(event.target instanceof Element)) return;
  const opening = findLinkedDialog(event.target);
  const closing = findClosedDialog(event.target);
  if (opening ?? closing) event.preventDefault();
  if (opening) showDialog(opening);
  else closing?.close();
}

/** A dialog of the page opens by a link to it, and when its address is asked for; without a script that shows it. */
function installDialogs(): void {
  const showAsked = () => {
    const asked = findDialog(location.hash);
    if (asked) showDialog(asked);
  };
  showAsked();
  addEventListener("hashchange", showAsked);
  document.addEventListener("click", handlePress);
  for (const dialog of document.querySelectorAll("dialog[aria-labelledby]")) {
    dialog.addEventListener("close", () => {
      dialog.querySelector("video")?.pause();
      if (findDialog(location.hash)) history.replaceState(null, "", location.pathname + location.search);
    });
  }
}

type OpenIsland = (island: string, props: Record<string, string>) => Promise<void>;

function readFields(form: HTMLFormElement): Record<string, string> {
  const fields = [...form.querySelectorAll<HTMLInputElement>("input[name]")];
  return Object.fromEntries(fields.map(({ name, value }) => [name, value]));
}

/** A form that an island answers: `data-submits` names it, and it is mounted with what was entered. */
function installForms(open: OpenIsland): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submits]")) {
    const button = form.querySelector("[type=submit]");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      button?.classList.add("button-busy");
      const done = () => button?.classList.remove("button-busy");
      open(form.dataset.submits ?? "", readFields(form)).then(done, done);
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

/** A story is told turn by turn when it is first seen. */
function tellStories(): void {
  const watch = new IntersectionObserver(
    (seen) => {
      for (const { isIntersecting, target } of seen) {
        if (!isIntersecting) continue;
        target.classList.add("story-told");
        watch.unobserve(target);
      }
    },
    { threshold: 0.4 },
  );
  for (const story of document.querySelectorAll("[data-story]")) watch.observe(story);
}

/**
 * The session has ended by itself: the next sign-in leads back. Where only the calls of this tab have lost it, the page
 * session ends too, with the request that loads the page anew: nobody is signed in by half.
 */
async function acceptEnd(): Promise<void> {
  if (hasSessionEnded() && document.documentElement.dataset.person !== undefined) {
    const { markSignedOut } = await import("../features/accounts/signin/sessions/sign-out-mark");
    markSignedOut();
    location.reload();
  }
  markSessionEnded();
}

/** What the landing page does beside being read. */
export function enhance(_: HTMLElement, open: OpenIsland): void {
  if (new URLSearchParams(location.search).has("ended")) void acceptEnd();
  tellStories();
  installDialogs();
  installForms(open);
}
