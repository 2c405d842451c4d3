// Makes the icons and the social card in ../public from the pictures here: `node brand/render.mjs` in frontend/.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { chromium } from "@playwright/test";

const here = import.meta.dirname;
const out = join(here, "../public");
const readFont = (file) => readFileSync(join(here, "../node_modules", file)).toString("base64");
const inter = readFont("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2");
const mono = readFont("@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2");
const style = `<style>@font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${inter}); }
  @font-face { font-family: Mono; src: url(data:font/woff2;base64,${mono}); }
  body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>`;
const PICTURES = [
  ["social-card.svg", "social-card.png", 1200, 630],
  ["icon.svg", "apple-touch-icon.png", 180, 180],
  ["icon.svg", "icon-192.png", 192, 192],
  ["icon.svg", "icon-512.png", 512, 512],
  ["../public/favicon.svg", null, 32, 32],
];

/** A file of icons with one picture, which may be a PNG (since Windows Vista). */
function iconFile(png, size) {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [source, target, width, height] of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(style + readFileSync(join(here, source), "utf8"));
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ omitBackground: true });
  if (target === null) writeFileSync(join(out, "favicon.ico"), iconFile(png, width));
  else writeFileSync(join(out, target), png);
  await page.close();
}
await browser.close();
