import { describe, expect, it, vi } from "vitest";

import { enhance } from "../../src/site/contact";

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

describe("the form", () => {
  it("[PUB-034] is sent once, however often it is submitted meanwhile", async () => {
    document.body.innerHTML = FORM;
    let answer: (response: Response) => void = () => undefined;
    const fetched = vi.fn(() => new Promise<Response>((resolve) => (answer = resolve)));
    vi.stubGlobal("fetch", fetched);
    enhance(document.body, () => Promise.resolve());
    const form = find("form");
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    form.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(find("button")).toHaveProperty("disabled", true);
    answer(new Response("{}", { status: 200 }));
    await vi.waitFor(() => expect(form.hidden).toBe(true));
    expect(document.activeElement).toBe(find("[data-contact-sent]"));
  });

  it("[J4] [PUB-035] a failure stands above the form and in a toast, with or without a network", async () => {
    document.body.innerHTML = FORM;
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("{}", { status: 503 })));
    const open = vi.fn(() => Promise.reject(new Error("offline")));
    enhance(document.body, open);
    find("form").dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
    await vi.waitFor(() => expect(open).toHaveBeenCalledExactlyOnceWith("toast", { words: "Failed" }));
    expect(find("[data-contact-failed]").textContent).toBe("Failed");
    expect(find("[data-contact-failed]").hidden).toBe(false);
  });
});
