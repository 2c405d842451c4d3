import { fireEvent, screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { CATEGORIES, CATEGORY_WORDS, DECISION_WORDS, DECISIONS, SUCCESS_RATE } from "../../src/lib/labels";
import terms from "../../src/lib/terms.json";
import { Term } from "../../src/ui/term";
import { showAlone as show } from "../render";

// The test browser has no popovers: what a real one does with them, first-hour.spec.ts sees.
const toggled = vi.fn<(shown: boolean) => void>();

beforeEach(() => {
  toggled.mockReset();
  HTMLElement.prototype.togglePopover = function togglePopover(shown) {
    const open = shown === true;
    toggled(open);
    const event = Object.assign(new Event("beforetoggle"), { newState: open ? "open" : "closed" });
    this.dispatchEvent(event);
    return open;
  };
});

async function showTerm() {
  const user = show(
    <p>
      A <Term name="catch_all">catch-all</Term> server
    </p>,
  );
  const button = await screen.findByRole("button", { name: "catch-all" });
  return { user, button, box: document.querySelector<HTMLElement>(".explanation") };
}

describe("a word that is explained", () => {
  it("is the word alone until its explanation is there, then a button that is described by it", async () => {
    const { button, box } = await showTerm();
    expect([button.getAttribute("popovertarget"), button.getAttribute("popovertargetaction")]).toEqual([
      box?.id,
      "show",
    ]);
    const { word, meaning, example } = terms.catch_all;
    expect(button.hasAttribute("aria-describedby")).toBe(false);
    expect([box?.getAttribute("popover"), box?.textContent, toggled.mock.calls]).toEqual(["auto", "", []]);
    fireEvent.pointerEnter(button, { pointerType: "mouse" });
    expect(box?.textContent).toBe(`${word}: ${meaning} For example: ${example}`);
    expect(button.getAttribute("aria-describedby")).toBe(box?.id);
  });

  it("shows it under the pointer of a mouse, and hides it when that leaves; a finger presses", async () => {
    const { button } = await showTerm();
    fireEvent.pointerEnter(button, { pointerType: "touch" });
    expect(toggled).not.toHaveBeenCalled();
    fireEvent.pointerEnter(button, { pointerType: "mouse" });
    fireEvent.pointerLeave(button, { pointerType: "mouse" });
    expect(toggled.mock.calls).toEqual([[true], [false]]);
  });

  it("hides it as the focus leaves", async () => {
    const { user, button } = await showTerm();
    await user.tab();
    expect(document.activeElement).toBe(button);
    await user.tab();
    expect(toggled.mock.lastCall).toEqual([false]);
  });

  it("takes Escape for itself while it is shown, and only then", async () => {
    const { button } = await showTerm();
    const around = vi.fn();
    document.addEventListener("keydown", around, { capture: true });
    fireEvent.pointerEnter(button, { pointerType: "mouse" });
    fireEvent.keyDown(button, { key: "a" });
    fireEvent.keyDown(button, { key: "Escape" });
    expect([around.mock.calls.length, toggled.mock.lastCall]).toEqual([1, [false]]);
    fireEvent.keyDown(button, { key: "Escape" });
    expect(around).toHaveBeenCalledTimes(2);
    document.removeEventListener("keydown", around, { capture: true });
  });
});

it("[DASH-022] every word is explained under the name that the pages give it", () => {
  expect(CATEGORIES.map((category) => terms[category].word)).toEqual(
    CATEGORIES.map((category) => CATEGORY_WORDS[category]),
  );
  expect(DECISIONS.map((decision) => terms[decision].word)).toEqual(
    DECISIONS.map((decision) => DECISION_WORDS[decision]),
  );
  expect(terms.success_rate.meaning).toBe(`${SUCCESS_RATE}.`);
});
