// A list on its way, watched ten times a second, and the one field that lists come from.
import { randomUUID } from "node:crypto";

import { expect, type Locator, type Page } from "@playwright/test";

import { runShell } from "./calls";
import { PATIENTLY, test } from "./cast";
import { signUp } from "./newcomer";

interface Sample {
  tab: string;
  /** How many places show the progress: the modal or the panel, never both. */
  places: number;
  place: "modal" | "panel";
  heading: string;
  /** The stops of the trace of stages, each with its state: Checking: now. */
  stops: string[];
  badge: string | null;
  percent: string | null;
  bar: string | null;
  barText: string | null;
  figures: string[];
  buttons: string[];
  heard: string | null;
}

declare global {
  interface Window {
    progressSamples: Sample[];
  }
}

/** Reads the progress, the buttons and the tab in one go, every 100 ms, whatever the test does meanwhile. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.progressSamples = [];
    const textOf = (within: Element, selector: string) =>
      within.querySelector(selector)?.textContent.trim() ?? null;
    const ofBar = (within: Element, name: string) =>
      within.querySelector('[role="progressbar"]')?.getAttribute(name) ?? null;
    setInterval(() => {
      const modal = document.querySelector('[role="dialog"]:has([role="progressbar"])');
      const panel = document.querySelector('section[aria-label="Batch progress"]:has([role="progressbar"])');
      const place = modal ?? panel;
      if (!place) return;
      window.progressSamples.push({
        tab: document.title,
        places: [modal, panel].filter(Boolean).length,
        place: modal ? "modal" : "panel",
        heading: textOf(place, "h2") ?? "",
        stops: [...place.querySelectorAll(".trace-stop")].map((one) => one.textContent),
        badge: textOf(place, ".badge"),
        percent: textOf(place, ".progress-percent"),
        bar: ofBar(place, "aria-valuenow"),
        barText: ofBar(place, "aria-valuetext"),
        figures: [...place.querySelectorAll(".progress-figures > span")].map((one) => one.textContent),
        buttons: [...place.querySelectorAll("button, a.button")].map((one) => one.textContent.trim()),
        heard: textOf(place, '[role="progressbar"] ~ [role="status"]'),
      });
    }, 100);
  });
}

/** The title of a list that was pasted, while it runs. */
const RUNNING = "Pasted list, 300 addresses";

const BADGES: Partial<Record<string, string>> = {
  "Your list is queued": "queued",
  [RUNNING]: "processing",
  "Waiting for mail operators": "processing",
  "Writing the last results": "processing",
  "List finished": "finished",
};
const STOPS: Partial<Record<string, string>> = {
  "Your list is queued": "Queued: now, Checking: to come, Writing: to come, Finished: to come",
  [RUNNING]: "Queued: done, Checking: now, Writing: to come, Finished: to come",
  "Waiting for mail operators": "Queued: done, Waiting: now, Writing: to come, Finished: to come",
  "Writing the last results": "Queued: done, Checking: done, Writing: now, Finished: to come",
  "List finished": "Queued: done, Checking: done, Writing: done, Finished: done",
};
const CANCELLED_IN = ["Your list is queued", RUNNING, "Waiting for mail operators"];
const FIGURES = ["Total", "Processed", "Valid", "Invalid"] as const;

function readFigures({ figures }: Sample): Record<(typeof FIGURES)[number], number> {
  const read = (name: string) => {
    const figure = figures.find((one) => one.startsWith(`${name} `)) ?? "";
    return Number(figure.slice(name.length + 1).replaceAll(",", ""));
  };
  return {
    Total: read("Total"),
    Processed: read("Processed"),
    Valid: read("Valid"),
    Invalid: read("Invalid"),
  };
}

/** What a sample says that it also says otherwise. */
function findContradictions(sample: Sample): string[] {
  const { Total, Processed, Valid, Invalid } = readFigures(sample);
  const { heading, badge, buttons, percent, bar, barText, figures } = sample;
  const finished = heading === "List finished";
  const has = (name: string) => buttons.includes(name);
  const share = finished ? 100 : Math.min(99, Math.floor((100 * Processed) / Total));
  const rules: Record<string, boolean> = {
    "one place": sample.places === 1,
    "the word of the stage": BADGES[heading] === badge,
    "the trace stops at the stage": STOPS[heading] === sample.stops.join(", "),
    "the tab says the same": sample.tab.startsWith(`${percent} ${heading} · `),
    "the percent is that of the counts": percent === `${share}%`,
    "the bar is where the percent is": `${bar}%` === percent,
    "the bar tells the same counts":
      barText?.startsWith(`${Processed.toLocaleString("en")} of ${Total.toLocaleString("en")} `) ?? false,
    "a hundred percent is finished, and the other way round": (percent === "100%") === finished,
    "finished has every address": !finished || Processed === Total,
    "no more processed than there are": Processed <= Total,
    "no more found than processed": Valid + Invalid <= Processed,
    "cancelled only while something is left": has("Cancel batch") === CANCELLED_IN.includes(heading),
    "Close and View Results only when finished": [has("Close"), has("View Results")].every(
      (there) => there === finished,
    ),
    "goes on in the background only while it goes on":
      (has("Continue in background") || has("Show progress")) !== finished,
    "a speed only while it moves":
      figures.some((one) => one.startsWith("Speed")) ===
      [RUNNING, "Waiting for mail operators"].includes(heading),
  };
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([rule]) => `${rule}: ${JSON.stringify(sample)}`);
}

/** Counts and percents that went back. */
function findStepsBack(samples: readonly Sample[]): string[] {
  return samples.slice(1).flatMap((sample, index) => {
    const before = readFigures(samples[index] ?? sample);
    const now = readFigures(sample);
    return FIGURES.filter((name) => now[name] < before[name]).map(
      (name) => `${name} ${before[name]} to ${now[name]}`,
    );
  });
}

/** Slow, quick and greylisting hosts, new ones to all caches: some ten seconds. */
function listOfAll(): string {
  const mark = randomUUID().slice(0, 8);
  const people = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}-${at}`);
  return [
    ...people(160, `patient-${mark}`).map((name) => `${name}@snailgarden.net`),
    ...people(120, `anna-${mark}`).map((name) => `${name}@gmail.com`),
    ...people(20, `ida-${mark}`).map((name) => `${name}@patientpine.org`),
  ].join("\n");
}

/** Somebody whose lists nobody else starts, with enough credits for them. */
async function enter(page: Page): Promise<void> {
  const email = await signUp(page);
  await runShell(
    "from accounts.users.models import User",
    "from billing.ledger import services",
    "from billing.ledger.models import LotKind",
    `organisation_id = User.objects.get(email="${email}").own_organisation.pk`,
    `services.grant_credits(organisation_id=organisation_id, kind=LotKind.PACK, amount=6_000, reason="Pack", key="${email}")`,
  );
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { name: "Validate", level: 1 })).toBeVisible();
}

const field = (page: Page): Locator => page.getByLabel("Single address, or paste a list");

test("[look-02] a list never says two things at once, in modal, panel and tab", async ({ page }) => {
  test.slow();
  await enter(page);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const icon = () => page.locator('link[rel="icon"][type="image/svg+xml"]').getAttribute("href");
  const before = [await page.title(), await icon()];
  await watch(page);
  await field(page).fill(listOfAll());
  await field(page).press("Control+Enter");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(/^Processed [1-9]/)).toBeVisible(PATIENTLY);
  await expect(dialog.getByRole("list", { name: "Last replies of mail hosts" })).toContainText(/[245]\d\d /);
  expect(await icon()).toContain("data:image/svg+xml");
  await dialog.getByRole("button", { name: "Continue in background" }).click();
  const panel = page.getByRole("region", { name: "Batch progress" });
  await expect(panel.getByText(/^Processed [1-9]\d\d$/)).toBeVisible(PATIENTLY);
  await panel.getByRole("button", { name: "Show progress" }).click();
  await expect(dialog.getByRole("link", { name: "View Results" })).toBeVisible(PATIENTLY);
  await expect(page.getByText("Batch processing complete! Validated 300 emails successfully!")).toBeVisible();

  const samples = await page.evaluate(() => window.progressSamples);
  expect(samples.flatMap(findContradictions)).toEqual([]);
  expect(findStepsBack(samples)).toEqual([]);
  expect(new Set(samples.map(({ place }) => place))).toEqual(new Set(["modal", "panel"]));
  const headings = new Set(samples.map(({ heading }) => heading));
  expect([...headings].filter((heading) => !(heading in BADGES))).toEqual([]);
  expect([headings.has(RUNNING), headings.has("List finished")]).toEqual([true, true]);
  // Between two polls, of which there is one in two seconds, the counts move on.
  const counts = new Set(samples.map((sample) => readFigures(sample).Processed));
  expect(counts.size).toBeGreaterThan(samples.length / 20 + 2);
  const heard = [...new Set(samples.map((sample) => sample.heard))].filter(Boolean);
  const quarters = [25, 50, 75, 100].map((percent) => `${percent}% of the list is done.`);
  expect(heard.filter((words) => !quarters.includes(words ?? ""))).toEqual([]);
  expect(heard).toContain("100% of the list is done.");

  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByRole("region", { name: "300 addresses validated" })).toBeVisible();
  expect([await page.title(), await icon()]).toEqual(before);
});

/** Holds a file over the page as somebody does who drags one, and drops it where that is wanted. */
async function drag(page: Page, kinds: readonly string[]): Promise<void> {
  await page.evaluate((events) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(
      new File(["email\nanna.keller@gmail.com\n"], "dropped.csv", {
        type: "text/csv",
      }),
    );
    for (const kind of events) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, kinds);
}

test("[look-11] one field takes an address, a list or a file, and says what it understood", async ({
  page,
}) => {
  await enter(page);
  await page.setViewportSize({ width: 320, height: 800 });
  const hint = page.locator(".field > .hint");
  await field(page).fill("  gone.keller@gmail.com  ");
  await expect(hint).toHaveText("1 address · 1 credit");
  await field(page).press("Enter");
  await expect(page.getByRole("region", { name: "gone.keller@gmail.com" })).toBeVisible();
  await expect(page).toHaveTitle(/^Invalid: gone\.keller@gmail\.com · /);

  const table =
    "Name\tE-mail\nAnna\tanna.keller@gmail.com\nBen Ott <gone@gmail.com>\nAnna.Keller@gmail.com\nno idea";
  await field(page).fill(table);
  await expect(page).toHaveTitle(/^(?!Invalid)/);
  await expect(hint).toHaveText(/^4 addresses, 1 duplicate, 1 not an address · at most 2 credits of [\d,]+$/);
  await expect(page.getByText(/^Not understood: “no idea”\./)).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await field(page).press("Enter");
  await expect(field(page)).toHaveValue(`${table}\n`);
  await field(page).press("Control+Enter");
  const review = page.getByRole("region", { name: "Pasted list" });
  await expect(review.getByRole("heading", { name: "Review" })).toBeFocused();
  await expect(review.getByRole("heading", { name: /addresses repaired$/ })).toBeVisible();
  await review.getByRole("button", { name: "Start validation" }).click();
  const done = page.getByText("Batch processing complete! Validated 3 emails successfully!");
  await expect(done).toBeVisible(PATIENTLY);
  // On a busy machine it was followed in the dialog.
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: "3 addresses validated" })).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Recent lists" }).getByRole("listitem").first(),
  ).toContainText("finished");

  await page.setViewportSize({ width: 1280, height: 900 });
  const many = Array.from({ length: 5_000 }, (_, at) => `person${at % 4_990}@gmail.com`).join("\n");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), many);
  await field(page).press("Control+A");
  await field(page).press("Control+V");
  await expect(hint).toHaveText(/^5,000 addresses, 10 duplicates · at most 4,990 credits of [\d,]+$/, {
    timeout: 5_000,
  });

  const target = page.getByText("Drop the file here");
  await drag(page, ["dragenter", "dragover"]);
  await expect(target).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(target).toHaveCount(0);
  await drag(page, ["dragenter", "drop"]);
  await expect(target).toHaveCount(0);
  await expect(page.getByText("dropped.csv")).toBeVisible();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByRole("heading", { name: "Review" })).toBeFocused();
  await page.getByRole("button", { name: "Remove file" }).click();
  await expect(field(page)).toHaveValue(many);
});
