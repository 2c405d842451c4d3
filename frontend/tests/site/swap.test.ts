import { expect, it, vi } from "vitest";

import { enhance } from "../../src/site/swap";

const listOf = (name: string) =>
  `<div id="list"><a data-swap href="/blog?category=a">A</a><a data-swap href="/blog?category=b">B</a><p>${name}</p></div>`;

function part(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`There is no ${selector}`);
  return found;
}

it("the filter that was pressed last is shown, whichever answer comes last", async () => {
  document.body.innerHTML = listOf("all");
  const answers: Partial<Record<string, (page: Response) => void>> = {};
  vi.stubGlobal("fetch", (address: string) => {
    return new Promise<Response>((resolve) => (answers[new URL(address).search] = resolve));
  });
  enhance(part("#list"));
  part('[href$="=a"]').click();
  part('[href$="=b"]').click();
  answers["?category=b"]?.(new Response(listOf("b")));
  await vi.waitFor(() => expect(part("p").textContent).toBe("b"));
  answers["?category=a"]?.(new Response(listOf("a")));
  await new Promise((resolve) => setTimeout(resolve)); // the answer to A is read in this turn
  await new Promise((resolve) => setTimeout(resolve));
  expect(part("p").textContent).toBe("b");
  expect(location.search).toBe("?category=b");
});
