import { expect, it } from "vitest";

import { installConsent } from "../../src/shell/consent";

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
