// What people are told of keys that were found in public.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";

import KeyLeaks from "../../src/islands/key-leaks";
import { show } from "../render";
import { json, serve } from "../server";

const PLACE = "https://github.com/alder/shop/blob/1234/config.py";
const leak = {
  id: "lkn_1",
  name: "Shop",
  prefix: "ec_live_AbCdEfGh",
  place: PLACE,
  revoked: true,
  reported_at: "2026-03-01T10:00:00Z",
};
const heading = (name: string) => ({ name: `API key ${name} was found in public` });
const notice = (name: string) => screen.queryByRole("complementary", heading(name));
const inside = (name: string) => within(screen.getByRole("complementary", heading(name)));

it("[API-044] a leak says which key, where it was found as text, and what became of it, until it is dismissed", async () => {
  const calls = serve({
    "DELETE /api/user/key-leaks/lkn_1": () => json({ message: "Notice dismissed" }),
  });
  const works = { ...leak, id: "lkn_2", name: "Till", place: "", revoked: false };
  const user = show(<KeyLeaks leaks={[leak, works]} />);
  const shop = inside("Shop");
  expect(shop.getByText("Your API key “Shop” was found in public and revoked.")).toBeTruthy();
  expect(shop.getByText(/ec_live_AbCdEfGh…/)).toBeTruthy();
  expect(notice("Shop")?.textContent).toContain(PLACE);
  expect(shop.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/account-settings?tab=profile#api-keys",
  ]);
  const till = inside("Till");
  expect(till.getByText("Your API key “Till” was found in public and still works.")).toBeTruthy();
  expect(till.getByRole("link", { name: "Revoke it" })).toBeTruthy();
  expect(notice("Till")?.textContent).toContain("place not said");
  await user.click(shop.getByRole("button", { name: "Dismiss" }));
  await expect.poll(() => notice("Shop")).toBeNull();
  expect(notice("Till")).toBeTruthy();
  expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /api/user/key-leaks/lkn_1"]);
});

it("[API-044] a notice that could not be dismissed stays and says so", async () => {
  serve({ "DELETE /api/user/key-leaks/lkn_1": () => Promise.reject(new TypeError("no network")) });
  const user = show(<KeyLeaks leaks={[leak]} />);
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(await screen.findByText("The notice could not be dismissed")).toBeTruthy();
  expect(notice("Shop")).toBeTruthy();
});
