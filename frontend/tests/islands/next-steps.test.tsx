import { fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";

import type { BatchDetail } from "../../src/api/types";
import NextSteps from "../../src/islands/next-steps";
import * as download from "../../src/lib/download";
import { formatDay } from "../../src/lib/format";
import { batchDetail } from "../data";
import { show } from "../render";
import { json, serve, type Call } from "../server";

const REACH = {
  choices: [
    { risky_from: null, addresses: 6, expected_bounces: 0.18 },
    { risky_from: 0.6, addresses: 6, expected_bounces: 0.18 },
    { risky_from: 0.5, addresses: 7, expected_bounces: 0.68 },
    { risky_from: 0, addresses: 7, expected_bounces: 0.68 },
  ],
};

function open(change: Partial<BatchDetail> = {}, mayDownload = true) {
  const calls = serve({
    "GET /api/validate/batch/b1": () => json(batchDetail(change)),
    "GET /api/validate/batch/b1/reach": () => json(REACH),
    "GET /api/validate/batch/b1/export": () => new Response("email\r\n"),
    "GET /api/organisation/downloads": () => json({ is_shared: false, may_download: mayDownload }),
  });
  const exported = () =>
    calls.filter(({ path }: Call) => path.endsWith("/export")).map(({ query }) => query.toString());
  return { exported, user: show(<NextSteps batch_id="b1" />) };
}

afterEach(() => delete document.documentElement.dataset.rights);

it("[REP-034] three cards in order say how many there are, and give each group in each format", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { exported, user } = open();
  const cards = (await screen.findAllByRole("heading", { level: 2 })).slice(0, 3);
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    "1. Send to the safe ones",
    "2. Decide about risky and unknown",
    "3. Suppress the rest",
  ]);
  const counts = cards.map((card) => card.closest("section")?.querySelector(".next-number")?.textContent);
  expect(counts).toEqual(["6", "1", "3"]);
  for (const what of ["safe addresses", "addresses to suppress"]) {
    const buttons = within(screen.getByRole("list", { name: `Download ${what}` })).getAllByRole("button");
    expect(buttons.map(({ textContent }) => textContent)).toEqual([
      "CSV",
      "XLSX",
      "Mailchimp",
      "HubSpot",
      "Klaviyo",
      "Brevo",
    ]);
  }
  await user.click(screen.getByRole("button", { name: "Download safe addresses for Mailchimp" }));
  await user.click(screen.getByRole("button", { name: "Download addresses to suppress as CSV" }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  expect(exported()).toEqual(["segment=safe&format=mailchimp", "segment=do_not_send&format=csv"]);
  expect(save.mock.calls.map(([, name]) => name)).toEqual([
    `batch-list-mailchimp-safe-${formatDay()}.csv`,
    `batch-list-do_not_send-${formatDay()}.csv`,
  ]);
  expect(screen.getByRole("button", { name: "PDF report" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Re-check unknown" })).toBeTruthy();
  for (const program of ["Mailchimp", "HubSpot", "Klaviyo", "Brevo"]) {
    const steps = screen
      .getByText(program, { selector: "summary" })
      .parentElement?.querySelectorAll("li").length;
    expect([2, 3, 4]).toContain(steps);
  }
});

it("[REP-034] between reach and risk, exactly those can be downloaded that the slider takes in", async () => {
  const save = vi.spyOn(download, "saveBlob").mockReturnValue();
  const { exported, user } = open();
  const slider = await screen.findByRole("slider", { name: "How far do you want to go?" });
  expect(slider.getAttribute("aria-valuetext")).toBe(
    "Only the safe ones: 6 addresses, about 0.2 expected bounces",
  );
  fireEvent.change(slider, { target: { value: "2" } });
  expect(slider.getAttribute("aria-valuetext")).toBe(
    "The safe ones, and risky ones from 50% confidence: 7 addresses, about 0.7 expected bounces",
  );
  await user.click(screen.getByRole("button", { name: "Download exactly these for Brevo" }));
  fireEvent.change(slider, { target: { value: "3" } });
  expect(slider.getAttribute("aria-valuetext")).toMatch(/^All but do not send: 7 addresses/);
  await user.click(screen.getByRole("button", { name: "Download exactly these as XLSX" }));
  await vi.waitFor(() => expect(save).toHaveBeenCalledTimes(2));
  expect(exported()).toEqual([
    "segment=safe&risky_from=0.5&format=brevo",
    "segment=safe&risky_from=0&format=xlsx",
  ]);
});

it("[REP-034] a card without addresses says so, and offers nothing", async () => {
  open({
    safe_to_send_count: 0,
    risky_count: 0,
    unknown_count: 0,
    invalid_count: 0,
    disposable_count: 0,
    spam_trap_count: 0,
  });
  expect(await screen.findByText("No address of this list is safe to send to.")).toBeTruthy();
  expect(screen.getByText("No address of this list is risky: there is nothing to decide.")).toBeTruthy();
  expect(screen.getByText("No address has to be suppressed.")).toBeTruthy();
  expect(screen.queryByRole("list", { name: /^Download/ })).toBeNull();
  expect(screen.queryByRole("slider")).toBeNull();
});

it("[REP-034] who may not save files still reads the steps; a running list has none yet", async () => {
  open({}, false);
  expect(
    await screen.findByText("Your organisation lets viewers read results, not save them as files."),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Download|PDF|zip/ })).toBeNull();
  expect(await screen.findByRole("slider")).toBeTruthy();
});

it("[REP-034] a list that still runs has no next steps yet", async () => {
  open({ status: "processing" });
  expect(await screen.findByText("The list is not finished yet")).toBeTruthy();
  expect(screen.queryByText("1. Send to the safe ones")).toBeNull();
});
