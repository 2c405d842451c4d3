import { beforeEach, expect, it, vi } from "vitest";

import { showAddress } from "../../src/lib/address-bar";
import { installTabLinks } from "../../src/shell/tab-links";

function readCurrent(): (string | undefined)[] {
  return [...document.querySelectorAll<HTMLElement>("[aria-current=page]")].map(({ dataset }) => dataset.tab);
}

beforeEach(() => {
  vi.stubGlobal("scrollTo", vi.fn());
  document.body.innerHTML = `
    <nav><a href="/admin?tab=overview" data-tab="overview" aria-current="page">Overview</a>
      <a href="/admin?tab=users" data-tab="users">Users</a></nav>
    <dialog open><a href="/admin?tab=users" data-tab="users">User Management</a></dialog>`;
  history.replaceState(null, "", "/admin");
  installTabLinks();
});

it("[look-10] links of the frame follow the tab that is chosen on the page", () => {
  expect(readCurrent()).toEqual(["overview"]);
  showAddress("/admin?tab=users&record=7", "push");
  expect(readCurrent()).toEqual(["users", "users"]);
  showAddress("/admin?tab=credits", "push");
  expect(readCurrent()).toEqual([]);
});

it("[look-10] they choose it without a load, and the menu closes; a press for another window is the browser's", () => {
  const entry = document.querySelector<HTMLElement>("dialog a");
  const close = vi.fn(); // jsdom's dialogs cannot
  Object.assign(document.querySelector("dialog") ?? {}, { close });
  const press = (init: MouseEventInit) =>
    entry?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ...init }));
  expect(press({})).toBe(false);
  expect(location.search).toBe("?tab=users");
  expect(close).toHaveBeenCalledOnce();
  history.replaceState(null, "", "/admin");
  document.addEventListener("click", (event) => event.preventDefault(), { once: true });
  press({ ctrlKey: true });
  expect(location.search).toBe("");
});
