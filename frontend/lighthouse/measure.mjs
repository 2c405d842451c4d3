// Lighthouse for phones on pages of a running copy: `node measure.mjs http://127.0.0.1:8000 / /about`.
// Prints a line a page and leaves with 1 when one is below the bars. A page below them is measured again, twice at most,
// because a busy machine slows single runs down; the best run counts.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const RUNS = 3;
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

/** What the scripts of the page took on the wire, in KB. */
function scriptKilobytes({ audits }) {
  const requests = audits["network-requests"].details.items;
  const scripts = requests.filter(({ resourceType }) => resourceType === "Script");
  return Number((scripts.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1024).toFixed(1));
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

async function once(port, address) {
  const found = await lighthouse(address, { port, onlyCategories: CATEGORIES, logLevel: "error" });
  if (found.lhr.runtimeError) throw new Error(`${address}: ${found.lhr.runtimeError.message}`);
  const figures = FIGURES.map(({ of }) => of(found.lhr));
  return { figures, missed: missed(figures), complaints: complaints(found.lhr) };
}

async function best(port, address) {
  let kept = null;
  for (let run = 0; run < RUNS && kept?.missed.length !== 0; run += 1) {
    const found = await once(port, address);
    if (kept === null || found.missed.length <= kept.missed.length) kept = found;
  }
  return kept;
}

function line(name, cells) {
  return name.padEnd(44) + cells.map((cell) => String(cell).padStart(15)).join("");
}

async function main([base, ...paths]) {
  const chrome = await launch({
    chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
    chromeFlags: FLAGS,
  });
  const low = [];
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
  try {
    for (const path of paths) {
      const found = await best(chrome.port, base + path);
      console.log(line(path, found.figures));
      for (const complaint of found.complaints) console.log(`    ${complaint}`);
      if (found.missed.length > 0) low.push(`${path}: ${found.missed.map(({ title }) => title).join(", ")}`);
    }
  } finally {
    chrome.kill();
  }
  console.log(
    low.length === 0 ? `all ${paths.length} pages reach the bars` : `below the bars:\n${low.join("\n")}`,
  );
  return low.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
