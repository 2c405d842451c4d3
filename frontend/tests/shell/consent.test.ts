import { beforeEach, expect, it } from "vitest";

import { installConsent } from "../../src/shell/consent";

beforeEach(() => localStorage.clear());

it("[PUB-013] opened again, the bar says what was chosen", () => {
  document.body.innerHTML = `
    <section data-consent-bar hidden>
      <strong data-consent-so-far></strong>
      <button data-consent="declined">Decline</button><button data-consent="accepted">Accept</button>
    </section>
    <button data-consent-change>Cookie settings</button>`;
  installConsent();
  const [decline, accept, change] = document.querySelectorAll("button");
  const said = () => document.querySelector("[data-consent-so-far]")?.textContent;
  expect(said()).toBe("");
  decline?.click();
  change?.click();
  expect(said()).toBe("So far, you have declined.");
  accept?.click();
  change?.click();
  expect(said()).toBe("So far, you have accepted.");
});

it("[PUB-013] the focus goes back to what asked for the choice about cookies", () => {
  document.body.innerHTML = `
    <section data-consent-bar hidden><button data-consent="declined">Decline</button></section>
    <button data-consent-change>Cookie settings</button>`;
  installConsent();
  const [decline, change] = document.querySelectorAll("button");
  change?.focus();
  change?.click();
  expect(document.activeElement).toBe(decline);
  decline?.click();
  expect(document.querySelector<HTMLElement>("[data-consent-bar]")?.hidden).toBe(true);
  expect(document.activeElement).toBe(change);
});

it("[PUB-010] the bar asks by itself where there is something to ask, until an answer is stored", () => {
  const show = (asks: string) => {
    document.body.innerHTML = `<section data-consent-bar ${asks} hidden><button data-consent="declined">No</button></section>`;
    installConsent();
    return document.querySelector<HTMLElement>("[data-consent-bar]")?.hidden;
  };
  expect([show(""), show("data-consent-asks")]).toEqual([true, false]);
  document.querySelector<HTMLElement>("[data-consent]")?.click();
  expect([localStorage.getItem("cookie_consent"), show("data-consent-asks")]).toEqual(["declined", true]);
});
