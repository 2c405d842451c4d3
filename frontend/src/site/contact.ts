import { ApiError } from "../lib/errors";

type Control = HTMLInputElement | HTMLTextAreaElement;

function listFields(form: HTMLFormElement): Control[] {
  return [...form.querySelectorAll<Control>("[required]")];
}

/** Says below a field what is wrong with it; nothing, when it is in order. */
function showComplaint(form: HTMLFormElement, field: Control, complaint: string): void {
  const place = form.querySelector<HTMLElement>(`[data-error-of="${field.name}"]`);
  if (place === null) return;
  place.textContent = complaint;
  place.hidden = complaint === "";
  if (complaint === "") field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
}

function getComplaint(field: Control): string {
  if (field.value.trim() === "") return `${field.name}: this field is required`;
  return field.validity.valid ? "" : "Please enter a valid email address.";
}

/** Whether all can be sent; the first field that cannot is focused. */
function checkForm(form: HTMLFormElement): boolean {
  for (const field of listFields(form)) showComplaint(form, field, getComplaint(field));
  const first = form.querySelector<Control>('[aria-invalid="true"]');
  first?.focus();
  return first === null;
}

async function postForm(form: HTMLFormElement): Promise<Response> {
  return fetch("/api/contact/send", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(Object.fromEntries(new FormData(form))),
  });
}

function showSent(form: HTMLFormElement): void {
  const banner = document.querySelector<HTMLElement>("[data-contact-sent]");
  form.hidden = true;
  if (banner === null) return;
  banner.hidden = false;
  banner.focus();
}

type OpenIsland = (island: string, props: Record<string, string>) => Promise<void>;

/** What the server refuses about a field stands below it; anything else above the form, and in a toast. */
async function showRefusal(form: HTMLFormElement, answer: Response | null, open: OpenIsland): Promise<void> {
  const error = answer?.status === 400 ? await ApiError.from(answer) : null;
  const field = listFields(form).find(({ name }) => name === error?.body.details?.field);
  if (error !== null && field !== undefined) {
    showComplaint(form, field, error.detail);
    field.focus();
    return;
  }
  const failed = form.querySelector<HTMLElement>("[data-contact-failed]");
  if (failed === null) return;
  const words = form.dataset.failed ?? "";
  failed.textContent = words;
  failed.hidden = false;
  await open("toast", { words }).catch(() => undefined); // without a network it does not come
}

async function sendForm(form: HTMLFormElement, button: HTMLButtonElement, open: OpenIsland): Promise<void> {
  if (button.disabled) return;
  form.querySelector("[data-contact-failed]")?.setAttribute("hidden", "");
  button.disabled = true;
  button.classList.add("button-busy");
  const answer = await postForm(form).catch(() => null);
  button.disabled = false;
  button.classList.remove("button-busy");
  if (answer?.ok) showSent(form);
  else await showRefusal(form, answer, open);
}

function installForm(form: HTMLFormElement, open: OpenIsland): void {
  const button = form.querySelector<HTMLButtonElement>("[type=submit]");
  if (button === null) return;
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (checkForm(form)) void sendForm(form, button, open);
  });
  form.addEventListener("input", ({ target }) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      showComplaint(form, target, "");
  });
}

/** The contact page: sends the form without leaving the page. */
export function enhance(root: HTMLElement, open: OpenIsland): void {
  for (const form of root.querySelectorAll<HTMLFormElement>("form[data-contact]")) installForm(form, open);
}
