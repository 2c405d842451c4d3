import { afterEach, expect, it, vi } from "vitest";

import { readInvitation } from "../../src/lib/referral-code";
import { storeInvitation } from "../../src/lib/store-referral";

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

it("[REF-011] remembers the code of a link for thirty days", () => {
  vi.useFakeTimers({ now: 0 });
  expect(readInvitation()).toBe("");
  storeInvitation("?ref=ABCD2345&x=1");
  expect(readInvitation()).toBe("ABCD2345");
  vi.setSystemTime(30 * DAY_MS - 1);
  expect(readInvitation()).toBe("ABCD2345");
  vi.setSystemTime(30 * DAY_MS);
  expect(readInvitation()).toBe("");
});

it("[REF-011] the newest link counts, and pages without a code change nothing", () => {
  storeInvitation("?ref=FIRST");
  storeInvitation("?ref=SECOND");
  storeInvitation("?tab=validate");
  storeInvitation("?ref=");
  expect(readInvitation()).toBe("SECOND");
});

it("what somebody else wrote there is no code", () => {
  for (const text of ["{", "7", '["A"]', "[1,2]", "null"]) {
    localStorage.setItem("invitation", text);
    expect(readInvitation()).toBe("");
  }
});
