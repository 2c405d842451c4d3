import { expect, it, vi } from "vitest";

import { playWalkthrough } from "../../src/site/walkthrough";

it("the walkthrough waits while nobody looks", () => {
  vi.useFakeTimers();
  document.body.innerHTML = `<div id="walk"><p data-scene>1</p><p data-scene>2</p><p data-scene>3</p></div>`;
  const box = document.querySelector<HTMLElement>("#walk");
  if (box) playWalkthrough(box);
  const current = () => document.querySelector("[aria-current]")?.textContent;
  vi.advanceTimersByTime(6_000);
  expect(current()).toBe("2");
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  vi.advanceTimersByTime(60_000);
  expect(current()).toBe("2");
  hidden.mockReturnValue(false);
  vi.advanceTimersByTime(6_000);
  expect(current()).toBe("3");
});
