import { expect, it } from "vitest";

import { enhance } from "../../src/site/help";

function search(words: string): (string | null)[] {
  const field = document.querySelector("input");
  if (field) field.value = words;
  field?.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll("details")].filter(({ hidden }) => !hidden);
  return shown.map((entry) => entry.querySelector("h3")?.textContent ?? null);
}

it("an address that cannot be read does not end the search", () => {
  history.replaceState(null, "", "/help-center#%");
  document.body.innerHTML = `
    <input data-search>
    <details data-entry="billing"><summary><h3>Invoices</h3></summary></details>
    <details data-entry="lists"><summary><h3>Uploads</h3></summary></details>`;
  enhance(document.body);
  expect(search("invoice")).toEqual(["Invoices"]);
});

it("[J1] [PUB-062] what can be pressed beside an answer is not searched", () => {
  history.replaceState(null, "", "/help-center");
  const entry = (question: string, answer: string) => `
    <details data-entry="billing">
      <summary><h3>${question}</h3><span class="badge">Guide</span></summary>
      <div class="prose"><p>${answer}</p></div>
      <div class="help-foot">Was this helpful? <button>Yes</button> <button>No</button> <a href="#a">Link to this answer</a></div>
    </details>`;
  document.body.innerHTML = `<input data-search>${entry("Invoices", "Every payment has one.")}${entry("Sign in", "The link works once.")}`;
  enhance(document.body);
  expect(search("link")).toEqual(["Sign in"]);
  expect(search("works once")).toEqual(["Sign in"]);
  expect(search("payment")).toEqual(["Invoices"]);
  for (const words of ["helpful", "yes", "guide"]) expect(search(words)).toEqual([]);
  expect(search("")).toEqual(["Invoices", "Sign in"]);
});

it("[G4] [PUB-062] the second factor is found by each of its names", () => {
  history.replaceState(null, "", "/help-center");
  document.body.innerHTML = `<input data-search>
    <details data-entry="features"><summary><h3>Sign in with a second factor</h3></summary></details>
    <details data-entry="billing"><summary><h3>Invoices</h3></summary></details>`;
  enhance(document.body);
  for (const words of ["2FA", "mfa", "TOTP", "otp", "authenticator", "second factor"])
    expect(search(words)).toEqual(["Sign in with a second factor"]);
  expect(search("2fa invoices")).toEqual([]);
});

it("[PUB-061] what was typed before this was loaded stands in the address too", () => {
  history.replaceState(null, "", "/help-center?category=billing");
  document.body.innerHTML = `
    <input data-search value="invoice ">
    <details data-entry="billing"><summary><h3>Invoices</h3></summary></details>`;
  enhance(document.body);
  expect(location.search).toBe("?category=billing&q=invoice");
});
