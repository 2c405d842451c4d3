import { setLostOrganisation } from "../lib/client";

/** Says that the organisation of this page is no longer one's own, in place of what the page was about. */
export function showLostOrganisation(): void {
  const main = document.querySelector("main");
  if (!main || main.querySelector("[data-lost]")) return;
  const card = document.createElement("section");
  card.className = "card stack-4";
  card.dataset.lost = "";
  card.setAttribute("role", "alert");
  const title = Object.assign(document.createElement("h1"), {
    textContent: "You no longer belong to this organisation",
  });
  const link = Object.assign(document.createElement("a"), {
    className: "button button-primary",
    href: "/dashboard",
    textContent: "Go to your own organisation",
  });
  const row = Object.assign(document.createElement("div"), { className: "row" });
  row.append(link);
  card.append(title, row);
  main.replaceChildren(card);
}

/** The menu of organisations, and the page that asks whether to switch. */
export function installOrganisations(): void {
  setLostOrganisation(showLostOrganisation);
  document.addEventListener("click", ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>("[data-switch]") : null;
    if (!pressed) return;
    pressed.setAttribute("aria-busy", "true");
    const { switch: organisation = "", next } = pressed.dataset;
    void import("../features/accounts/team/switch")
      .then(({ switchOrganisation }) => switchOrganisation(organisation, next))
      .finally(() => pressed.removeAttribute("aria-busy"));
  });
}
