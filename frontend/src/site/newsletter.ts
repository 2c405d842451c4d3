import { sendJson } from "./pages";

/** The form of the newsletter answers in place; without this it leads to a page that says the same. */
export function enhance(root: HTMLElement): void {
  const form = root.querySelector("form");
  const field = form?.querySelector<HTMLInputElement>("input[type=email]");
  const button = form?.querySelector("button");
  const says = root.querySelector<HTMLElement>("[role=status]");
  if (!form || !field || !button || !says) return;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    void sendJson("/api/newsletter/subscribe", { email: field.value }).then(({ ok, message }) => {
      button.removeAttribute("aria-disabled");
      says.textContent = message;
      says.dataset.tone = ok ? "good" : "bad";
      field.setAttribute("aria-invalid", String(!ok));
      if (!ok) field.focus();
    });
  });
}
