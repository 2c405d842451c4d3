import { expect, it } from "vitest";

import { enhance } from "../../src/site/help";

it("an address that cannot be read does not end the search", () => {
  history.replaceState(null, "", "/help-center#%");
  document.body.innerHTML = `
    <input data-search>
    <details data-entry="billing"><summary>Invoices</summary></details>
    <details data-entry="lists"><summary>Uploads</summary></details>`;
  enhance(document.body);
  const field = document.querySelector("input");
  if (field) field.value = "invoice";
  field?.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll("details")].filter(({ hidden }) => !hidden);
  expect(shown.map(({ textContent }) => textContent)).toEqual(["Invoices"]);
});
