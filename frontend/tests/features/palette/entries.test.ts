import { beforeEach, expect, it } from "vitest";

import { readTopics, matchTopics } from "../../../src/features/palette/documents";
import { findTypedAddress, matchEntries, PAGES, SETTINGS } from "../../../src/features/palette/entries";
import { clearSession } from "../../../src/lib/session";
import { readRecentChoices, storeRecentChoice } from "../../../src/lib/recent-choices";

beforeEach(() => localStorage.clear());

it("[look-07] what begins as it is typed comes before what has it in another word", () => {
  const labels = matchEntries([...PAGES, ...SETTINGS], "pa").map(({ label }) => label);
  expect(labels).toEqual([
    "Payment Methods",
    "Password Reset",
    "Custom packages",
    "Upgrade",
    "Manage Subscription",
  ]);
  expect(matchEntries(SETTINGS, "two-factor").map(({ address }) => address)).toEqual([
    "/account-settings?tab=profile#security",
  ]);
  expect(matchEntries(PAGES, "zzz")).toEqual([]);
});

it("[look-07] an address is found alone or after the word check", () => {
  expect(findTypedAddress("anna@company.com")).toBe("anna@company.com");
  expect(findTypedAddress(" Check anna@company.com ")).toBe("anna@company.com");
  expect(findTypedAddress("anna@company")).toBeNull();
  expect(findTypedAddress("newsletter 2026")).toBeNull();
});

it("[look-07] five choices are kept, the newest first, until the session ends", () => {
  for (const number of [1, 2, 3, 4, 5, 6, 3]) {
    storeRecentChoice({ kind: "list", label: `List ${number}`, address: `/dashboard/batch/${number}` });
  }
  expect(readRecentChoices().map(({ label }) => label)).toEqual([
    "List 3",
    "List 6",
    "List 5",
    "List 4",
    "List 2",
  ]);
  clearSession();
  expect(readRecentChoices()).toEqual([]);
  localStorage.setItem("recent-choices", '[{"kind":"list"}, 4');
  expect(readRecentChoices()).toEqual([]);
});

it("[look-07] sections of the documentation are found by their text, those named so first", () => {
  const page = new DOMParser().parseFromString(
    `<section data-chapter="Webhooks">
      <article data-topic id="events"><h3>Events</h3><p>A payload is sent.</p></article>
      <article data-topic id="payload"><h3>Payload</h3><p>Its fields.</p></article>
    </section>`,
    "text/html",
  );
  expect(matchTopics(readTopics(page), "Payload").map(({ label, address }) => [label, address])).toEqual([
    ["Payload", "/documentation#payload"],
    ["Events", "/documentation#events"],
  ]);
});
