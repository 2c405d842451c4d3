import { afterEach, expect, it, vi } from "vitest";

import { invitation, keepInvitation } from "../../../../src/features/billing/referrals/invitation";

const DAY_MS = 24 * 60 * 60 * 1000;

afterEach(() => {
  vi.useRealTimers();
});

it("[REF-011] remembers the code of a link for thirty days", () => {
  vi.useFakeTimers({ now: 0 });
  expect(invitation()).toBe("");
  keepInvitation("?ref=ABCD2345&x=1");
  expect(invitation()).toBe("ABCD2345");
  vi.setSystemTime(30 * DAY_MS - 1);
  expect(invitation()).toBe("ABCD2345");
  vi.setSystemTime(30 * DAY_MS);
  expect(invitation()).toBe("");
});

it("[REF-011] the newest link counts, and pages without a code change nothing", () => {
  keepInvitation("?ref=FIRST");
  keepInvitation("?ref=SECOND");
  keepInvitation("?tab=validate");
  keepInvitation("?ref=");
  expect(invitation()).toBe("SECOND");
});

it("what somebody else wrote there is no code", () => {
  for (const text of ["{", "7", '["A"]', "[1,2]", "null"]) {
    localStorage.setItem("invitation", text);
    expect(invitation()).toBe("");
  }
});
