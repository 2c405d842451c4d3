import { describe, expect, it } from "vitest";

import { formatReason, listTechnicalChecks } from "../../../../src/features/validation/results/result-labels";
import { resultRow } from "../../../data";

describe("[VAL-060] the six technical checks", () => {
  it("say what was found", () => {
    expect(
      listTechnicalChecks(resultRow({ is_spam_trap: false })).map(({ name, words }) => [name, words]),
    ).toEqual([
      ["Syntax", "Correct"],
      ["Domain", "Takes mail"],
      ["Mailbox (SMTP)", "Accepted"],
      ["Disposable", "No"],
      ["Catch-all", "No"],
      ["Spam trap", "No"],
    ]);
  });

  it("[VAL-029] never present as checked what was not", () => {
    const row = resultRow({
      reason: "not_probed",
      domain_valid: null,
      smtp_valid: null,
      disposable: null,
      is_catch_all: null,
      is_spam_trap: null,
    });
    expect(listTechnicalChecks(row).map(({ state, words }) => [state, words])).toEqual([
      ["pass", "Correct"],
      ["skipped", "Not checked"],
      ["skipped", "Not checked"],
      ["skipped", "Not checked"],
      ["skipped", "Not checked"],
      ["skipped", "Not checked: no trap list is configured"],
    ]);
  });
});

it("an unknown reason is shown in its own words", () => {
  expect([formatReason("greylisted"), formatReason("brand_new")]).toEqual([
    "Server asks to come back later",
    "Brand new",
  ]);
});

it("[A1] an address that nobody was asked about is our doing, not its server's", () => {
  expect(formatReason("not_asked")).toBe("Not asked yet: our own limit");
});
