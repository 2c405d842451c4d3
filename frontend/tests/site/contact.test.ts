import { beforeEach, describe, expect, it, vi } from "vitest";

import { hasConsent } from "../../src/lib/consent";
import { enhance } from "../../src/site/contact";

const CARD = `
  <div data-chat="https://chat.example/widget.js">
    <button type="button" data-chat-part="open">Open live chat</button>
    <div data-chat-part="question" hidden>
      <button type="button" data-chat-part="agree">Agree and open</button>
      <button type="button" data-chat-part="refuse">Not now</button>
    </div>
    <p data-chat-part="told"></p>
  </div>`;
const FORM = `
  <div data-contact-sent tabindex="-1" hidden></div>
  <form data-contact data-failed="Failed">
    <p data-contact-failed hidden></p>
    <input name="name" required value="Ida"><p data-error-of="name" hidden></p>
    <button type="submit">Send</button>
  </form>`;

function find(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`There is no ${selector}`);
  return found;
}

function part(name: string): HTMLElement {
  return find(`[data-chat-part="${name}"]`);
}

function scripts(): number {
  return document.querySelectorAll("script[src]").length;
}

beforeEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
});

describe("the chat", () => {
  it("[PUB-013] [SET-031] loads nothing before somebody agreed", () => {
    document.body.innerHTML = CARD;
    enhance(document.body);
    expect(part("open").textContent).toBe("Live chat needs your consent");
    part("open").click();
    expect([part("question").hidden, document.activeElement]).toEqual([false, part("agree")]);
    part("refuse").click();
    expect([part("question").hidden, hasConsent(), scripts()]).toEqual([true, false, 0]);
    part("open").click();
    part("agree").click();
    expect([hasConsent(), scripts(), part("open").textContent]).toEqual([true, 1, "Open live chat"]);
  });
});

describe("the form", () => {
  it("[PUB-034] is sent once, however often it is submitted meanwhile", async () => {
    document.body.innerHTML = FORM;
    let answer: (response: Response) => void = () => undefined;
    const fetched = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
    vi.stubGlobal("fetch", fetched);
    enhance(document.body);
    const form = find("form");
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(find("button")).toHaveProperty("disabled", true);
    answer(new Response("{}", { status: 200 }));
    await vi.waitFor(() => expect(form.hidden).toBe(true));
    expect(document.activeElement).toBe(find("[data-contact-sent]"));
  });
});
