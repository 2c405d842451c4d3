import { expect, it } from "vitest";

import { readFileName } from "../../src/lib/download-file";

it.each([
  ['attachment; filename="INV-2030-000001-alder-and-ash.pdf"', "INV-2030-000001-alder-and-ash.pdf"],
  ["attachment; filename*=utf-8''INV-2030-000001-m%C3%BCller.pdf", "INV-2030-000001-müller.pdf"],
  ["attachment; filename*=UTF-8''%E6%9D%B1.pdf; filename=\"x.pdf\"", "東.pdf"],
  ["attachment; filename*=utf-8''%E6%9.pdf", null],
  ["attachment", null],
  [null, null],
])("[ORG-025] reads the name of a file from %s", (header, name) => {
  expect(readFileName(header)).toBe(name);
});
