import { beforeEach, expect, it } from "vitest";

import { drawRing, drawVerdict, openTabSign } from "../../src/lib/tab-sign";
import { CATEGORIES } from "../../src/lib/labels";

const icon = () => document.querySelector('link[type="image/svg+xml"]')?.getAttribute("href") ?? "";
const picture = () => decodeURIComponent(icon().replace("data:image/svg+xml,", ""));

beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" type="image/svg+xml" href="/favicon.svg">';
  document.title = "Validate · EmailCheck";
});

it("the tab shows the newest sign, and afterwards is as it was", () => {
  const single = openTabSign();
  const list = openTabSign();
  list.show({ words: "40% Validating your list", icon: drawRing(40) });
  expect([document.title, picture()]).toEqual([
    "40% Validating your list · Validate · EmailCheck",
    drawRing(40),
  ]);
  single.show({ words: "Valid", icon: drawVerdict("valid") });
  expect([document.title, picture()]).toEqual(["Valid · Validate · EmailCheck", drawVerdict("valid")]);
  list.show({ words: "41% Validating your list", icon: drawRing(41) });
  single.show(null);
  expect(document.title).toBe("41% Validating your list · Validate · EmailCheck");
  list.close();
  single.close();
  expect([document.title, icon()]).toEqual(["Validate · EmailCheck", "/favicon.svg"]);
});

it("the ring fills, and each verdict has a shape of its own", () => {
  const drawn = [...[0, 50, 100].map(drawRing), ...CATEGORIES.map(drawVerdict)];
  expect(new Set(drawn.map((svg) => svg.replaceAll(/(?:stroke|fill)="#\w+"/g, ""))).size).toBe(9);
  const filled = [0, 50, 100].map((percent) => /stroke-dasharray="([\d.]+) /.exec(drawRing(percent))?.[1]);
  expect(filled).toEqual(["0.00", "18.85", "37.70"]);
});
