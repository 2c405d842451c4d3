import { expect, it } from "vitest";

import { Address } from "../../src/ui/address";
import { show } from "../render";

/** The address as it is marked up, `|` where a line may end and `[]` around what may break anywhere. */
function markUp(email: string): string {
  show(<Address email={email} />);
  const shown = [...document.querySelectorAll(".address-text")].at(-1)?.innerHTML ?? "";
  return shown
    .replaceAll("<wbr>", "|")
    .replaceAll('<span class="break">', "[")
    .replaceAll('<span class="nowrap">', "(")
    .replaceAll("</span>", ")");
}

it("an address breaks behind the @ and dots, and inside of nothing shorter than a line", () => {
  expect(markUp("anna.keller@mail.gmail.com")).toBe("anna.|keller@|mail.|gmail.|com");
  expect(markUp("sam@old-mill.org")).toBe("sam@|(old-mill.)|org");
  expect(markUp(`${"a".repeat(40)}@b.com`)).toBe(`[${"a".repeat(40)}@)|b.|com`);
});
